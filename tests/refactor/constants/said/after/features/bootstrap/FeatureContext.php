<?php

use Behat\Behat\Context\Context;

class FeatureContext implements Context
{
    /**
     * @When I sort :count books by :text
     */
    public function byTitle(int $count, string $text): void
    {
        $this->shelf->sort($count, $text);
    }

    /**
     * @When I close the shop
     */
    public function close(): void
    {
        $this->shelf->close();
    }
}
