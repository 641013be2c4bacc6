<?php

use Behat\Behat\Context\Context;

class FeatureContext implements Context
{
    /**
     * @When I sort :count books by title
     */
    public function byTitle(int $count): void
    {
        $this->shelf->open($count);
        $this->shelf->sort($count, 'the_title');
    }

    /**
     * @When I sort :count books by price
     */
    public function byPrice(int $count): void
    {
        $this->shelf->open($count);
        $this->shelf->sort($count, 'the_price');
    }

    /**
     * @When I close the shop
     */
    public function close(): void
    {
        $this->shelf->close();
    }
}
