Feature: Vending machine
  # One feature for every runner. Steps of each status; what a runner makes of a step is its own business.

  Background:
    Given the machine is on

  Scenario: Arguments
    Given 12 apples and 3 pears are in it
    * "Ann" has 5 €
    When "Ann" takes 1 apple
    And "Ann Ö." takes 2 apples
    Then the lamp is amber
    But the lamp is blue
    Then the price is 2.50 (net)

  Scenario: Nobody wrote these
    Given the machine is on fire
    When the machine is o
    And she kicks it
    Then THE MACHINE IS ON

  Scenario: Two answer
    When the door opens quickly
    Then the note says hello

  Scenario: Only in its own place
    When the bell rings
    Then the bell rings
    Given the bell rings

  Scenario: A star goes on
    When "Ann" takes 1 apple
    * the bell sings
    And the bell sings
    Then the lamp is red
    * the bell sings
    And the bell sings

  Scenario: Tables and texts
    Given these coins:
      | value |
      | 2     |
    And this note
      """
      the machine is on
      """

  Scenario Outline: Buying <what>
    When "<who>" takes <n> <what>
    Then the lamp is <colour>
    And <lost> is lost

    Examples:
      | who | n | what   | colour |
      | Bob | 1 | apple  | red    |
      | Eve | 7 | apples | amber  |
      | Eve | x | apples | black  |

  Scenario: Near misses
    When "Ann" takes 1 apple  and leaves
    Then the lamp is  amber
    Then the price is 3 (net)
