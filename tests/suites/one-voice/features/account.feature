Feature: Accounts

  Background:
    Given the shop is open

  Scenario: A customer comes in
    Given I am on the home page
    When I log in
    Then the customer is welcomed

  Scenario: An administrator comes in
    Given I am on the homepage
    When I sign in
    Then the admin is welcomed

  Scenario: A wrong password
    Given I am on the landing page
    When I type the password "rose"
    And I log in
    Then the error "Wrong password" is displayed

  Scenario: A locked account
    Given I am on the home page
    When I type the password "tulip"
    And I log in
    Then I see the error "Locked"

  Scenario: Notifications on
    Given I am on the home page
    When I log in
    Then notifications are enabled

  Scenario: Notifications off
    Given I am on the home page
    When I log in
    Then notifications are disabled
