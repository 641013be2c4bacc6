Feature: The shop's interface for other programs

  Scenario: A list of orders
    Given the client has a token
    When the client sends a request
    Then the response status is 200 OK

  Scenario: One order
    Given the client has a token
    When the client makes a request
    Then status 200

  Scenario: An order is changed
    Given the client has a token
    And an order is created
    When the client sends a request
    Then I should get a 200 response code

  Scenario: An order that came later
    Given the client has a token
    And an order is updated
    When the client sends a request
    Then the response status is 200 OK
    And the min price is shown

  Scenario: The dearest order
    Given the client has a token
    When the client sends a request
    Then the response status is 200 OK
    And the max price is shown
