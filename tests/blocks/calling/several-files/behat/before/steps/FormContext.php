<?php

use Behat\Behat\Context\Context;

class FormContext implements Context
{
    /**
     * @Given I fill in :name
     */
    public function fillIn($name)
    {
        $this->calls[] = $name;
    }
}
