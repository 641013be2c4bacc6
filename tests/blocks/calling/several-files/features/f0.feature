Feature: f0
  Scenario: Ann
    Given I open the "login" page
    And I fill in "Ann"
    And I press the button
    When I pay
    Then all is done

  Scenario: Bob
    Given I open the "login" page
    And I fill in "Bob"
    And I press the button
    Then all is done

