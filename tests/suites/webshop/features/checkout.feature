Feature: Checkout

  Background:
    Given the shop is open

  Scenario: Paying by card
    Given I log in as "anna"
    And I add "green tea" to the basket
    When I pay by card
    Then the order is confirmed
    And I should see the message "Thank you"

  Scenario: Paying with an empty basket
    Given I am logged in as "anna"
    When I pay by card
    Then the order is not confirmed
    And I see the message "Your basket is empty"

  Scenario: The receipt
    Given I am logged in as "ben"
    And I add "black tea" to the basket
    When I pay by card
    Then a receipt is sent to "ben@shop.example"
    And the basket is empty
