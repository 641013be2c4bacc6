<?php

namespace Shop\Steps;

use Behat\Behat\Context\Context;
use Shop\Pages\BasketPage;
use Shop\Pages\Crud\IndexPage;
use Webmozart\Assert\Assert;

final class BasketContext implements Context
{
    use Browsing;

    const NAME = 'Emma';

    /** @var BasketPage */
    private $page;
    private IndexPage $indexPage;
    private $answer;

    public function __construct(BasketPage $page, IndexPage $indexPage)
    {
        $this->page = $page;
        $this->indexPage = $indexPage;
    }

    /**
     * @Given a basket with :count books
     */
    public function holds($count)
    {
        $this->page->fill($count);
    }

    /**
     * @Given :books books in the basket
     */
    public function thereAre(int $books): void
    {
        # so many
        $this->page
            ->fill($books);
    }

    /** @When I choose Emma */
    public function choose() { $this->page->choose(self::NAME); }

    /** @When I choose the novel */
    public function chooseNovel() { $this->page->choose("Emma"); }

    /** @When I choose Persuasion */
    public function chooseOther() { $this->page->choose('Persuasion'); }

    /** @Then the answer is fine */
    public function fine() { Assert::same(200, $this->answer->status()); }

    /** @When I list the baskets */
    public function index() { $this->indexPage->open(); }

    /** @When perhaps :count books */
    public function perhaps($count = 0) { $this->page->put($count); }

    /** @When maybe :count books */
    public function maybe($count = 1) { $this->page->put($count); }

    /** @When I buy :count books */
    public function buy($count) { $this->holds($count); }

    /** @When I tidy up */
    public function tidyUp() { $this->page->open(); $this->sort(); }

    private function sort(): void { $this->page->sort('title'); }

    /** @When I press home */
    public function home() { $this->browser->press('home'); }

    /** @Then all is well */
    public function well() { $book = $this->page->first(); Assert::same($book->state(), 'fine'); }

    /** @Then all is very well */
    public function veryWell()
    {
        $found = $this->page->first();
        Assert::same($found->state(), 'fine');
        Assert::same($found->dust(), 0);
    }

    /** @Then it is pending */
    public function pending() { throw new PendingException(); }

    private Shopper $buyer;

    /** @Given the buyer is :shopper */
    public function buyer(Shopper $shopper) { $this->buyer = $shopper; }
}
