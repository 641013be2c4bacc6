Feature: Basket
  Shoppers collect what they want to buy.

  Background:
    Given the shop is open
    And I am logged in as "anna"

  Scenario: Adding a product
    When I add "green tea" to the basket
    Then the basket contains 1 product
    And I should see the message "green tea was added"

  Scenario: Adding a product twice
    When I add "green tea" to the basket
    And I add "green tea" to the basket
    Then the basket contains 2 products

  Scenario: Removing a product
    Given I put "black tea" into my basket
    When I remove "black tea" from the basket
    Then the basket is empty
    And the message "black tea was removed" should be shown

  Scenario Outline: Discounts
    Given I add "<product>" to the basket
    When I enter the voucher "<voucher>"
    Then the total is <total> euros

    Examples:
      | product   | voucher | total |
      | green tea | TEN     | 9     |
      | black tea | NONE    | 12    |
