Feature: The basket

  Scenario: Nothing is left
    Given I put "pears" into the basket
    When I delete the item
    Then the basket is empty

  Scenario: Nothing is left of several
    Given I put "plums" into the basket
    When I remove the item
    Then the cart contains no items

  Scenario: Where the bill goes
    Given I put "pears" into the basket
    When I enter the billing address
    Then the first line is filled
    And the buyer gets a message

  Scenario: Where the fruit goes
    Given I put "pears" into the basket
    When I enter the shipping address
    Then the second line is filled
    And the seller gets a message

  Scenario: A coupon in time
    Given I put "plums" into the basket
    When I use the coupon before midnight
    Then the basket is empty

  Scenario: A coupon too late
    Given I put "plums" into the basket
    When I use the coupon after midnight
    Then the basket is empty
