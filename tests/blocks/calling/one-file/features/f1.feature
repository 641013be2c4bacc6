Feature: f1
  Scenario: {x} $y
    Given I open the "it's a login" page
    And I fill in 3 names like "{x} $y"
    And I press the button
    When I ship
    Then all is done

  Scenario: Zoë
    Given I open the "it's a login" page
    And I fill in 4 names like "Zoë"
    And I press the button
    Then all is done

