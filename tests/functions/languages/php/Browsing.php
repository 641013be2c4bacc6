<?php

namespace Shop\Steps;

trait Browsing
{
    private $browser;

    /** @When I go home */
    public function goHome()
    {
        $this->browser->press('home');
    }
}
