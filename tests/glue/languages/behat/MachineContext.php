<?php

use Behat\Behat\Context\Context;
use Behat\Step;
use Behat\Step\Then;
use Behat\Step\When;

final class MachineContext implements Context
{
    private const LID = 'the lid is ';

    /**
     * @Given the machine is ready
     */
    public function machineIsReady()
    {
    }

    /**
     * Puts apples on the belt.
     *
     * @Given there are :count apples
     * @When   /^(\d+) apples arrive$/i
     *
     * @param int $count
     */
    public function stock($count): void
    {
    }

    /** @When :who takes :count of them */
    #[When('they say \'hello\' to :who')]
    function takes($who, $count) {}

    /**
     * @Then it holds :count apple(s)
     */
    public function holds($count) {}

    /**
     * @Then ~^the sign is (red|amber)$~
     */
    public function sign($colour) {}

    /**
     * @Then /^it costs (\d+) € \(net\)$/u
     */
    public function price($amount) {}

    #[Step\Given("the \"lid\" costs \$3"), Then(pattern: self::LID . 'shut')]
    #[When(<<<'TXT'
        the lid opens
        TXT)]
    public function lid() {}

    /**
     * @Then the belt \
     *       runs
     * @then {^the belt stands}
     * @And no keyword of Behat
     * Given no annotation
     */
    // another comment
    public static function belt() {}

    #[When("the $lid opens")]
    #[Then]
    public function computed() {}

    /**
     * @Given a step that is not public
     */
    private function hidden() {}

    /**
     * @Transform :count
     * @Transform /^(\d+) km$/
     * @Transform table:name,price
     * @Transform
     */
    public function transformed($value) {}
}
