Feature: f1
  Scenario: Zoë
    Given I open the "login" page
    And I fill in "Zoë"
    And I press the button
    When I ship
    Then all is done

  Scenario: Cid
    Given I open the "login" page
    And I fill in "Cid"
    And I press the button
    Then all is done

