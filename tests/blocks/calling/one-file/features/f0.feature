Feature: f0
  Scenario: Ann
    Given I open the "it's a login" page
    And I fill in 1 names like "Ann"
    And I press the button
    When I pay
    Then all is done

  Scenario: Bob
    Given I open the "it's a login" page
    And I fill in 22 names like "Bob"
    And I press the button
    Then all is done

