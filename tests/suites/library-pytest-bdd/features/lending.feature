Feature: Lending
  Readers take books home and bring them back.

  Background:
    Given the library owns 3 copies of "Emma"

  Scenario: Taking a book home
    When "anna" borrows "Emma"
    Then 2 copies of "Emma" are on the shelf
    And "anna" has 1 book

  Scenario: Bringing it back
    Given "ben" takes "Emma" home
    When "ben" returns "Emma"
    Then 3 copies of "Emma" are on the shelf
    # "ben" returns "Emma" is no step here

  Scenario Outline: Several readers
    Given "<first>" borrows "Emma"
    And "<second>" takes "Emma" home
    Then <left> copies of "Emma" are on the shelf

    Examples:
      | first | second | left |
      | anna  | ben    | 1    |
      | eve   | O'Neil | 1    |
