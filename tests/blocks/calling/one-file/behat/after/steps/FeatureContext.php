<?php

use Behat\Behat\Context\Context;

class FeatureContext implements Context
{
    /**
     * @Given I open the :page page
     */
    public function openPage(string $page): void
    {
        $this->calls[] = $page;
    }

    /**
     * @Given I fill in :count names like :name
     */
    public function fillIn($name, int $count): void
    {
    }

    /**
     * @Given I press the button
     */
    public function press(): void
    {
    }

    /**
     * @Given I am logged in :count times as :name
     */
    public function iAmLoggedInTimesAs(int $count, $name): void
    {
        $this->openPage('it\'s a login');
        $this->fillIn($name, $count);
        $this->press();
    }

    /**
     * @When /^I (pay|ship|leave|wait)$/
     */
    public function act($act): void
    {
    }

    /**
     * @Then all is done
     */
    public function done(): void
    {
    }
}
