<?php

use Behat\Behat\Context\Context;
use Behat\Behat\Hook\Scope\BeforeScenarioScope;

class PageContext implements Context
{
    private $forms;

    /** @BeforeScenario */
    public function gather(BeforeScenarioScope $scope)
    {
        $environment = $scope->getEnvironment();
        $this->forms = $environment->getContext(FormContext::class);
    }

    /**
     * @Given I open the :page page
     */
    public function openPage($page)
    {
    }

    /**
     * @Given I press the button
     */
    public function press()
    {
    }

    /**
     * @Given I log in as :name
     */
    public function iLogInAs($name): void
    {
        $this->openPage('login');
        $this->forms->fillIn($name);
        $this->press();
    }

    /**
     * @When /^I (pay|ship)$/
     */
    public function act($act)
    {
    }

    /**
     * @Then all is done
     */
    public function done()
    {
    }
}
