Feature: The shop's API

  Scenario: A product
    When I request the product "green tea"
    Then the response status is 200
    And the response has the field "price"

  Scenario: An unknown product
    When I request the product "coffee"
    Then the response status should be 404

  Scenario: The list of products
    When I request the list of products
    Then the response status is 200
    And the response does not have the field "secret"

  Scenario: A product again
    When I request the product "black tea"
    Then the response status is 200
