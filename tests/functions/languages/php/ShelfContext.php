<?php

namespace Shop\Steps;

use Behat\Behat\Context\Context;
use Shop\Pages\BasketPage;
use Shop\Pages\Crud\IndexPage;
use Shop\Pages\ShelfPage as Page;
use Webmozart\Assert\Assert;

final class ShelfContext implements Context
{
    private $answer;
    private $browser;

    public function __construct(private BasketPage $page, private Page $shelf, private IndexPage $shelfIndexPage)
    {
    }

    /** @Given :books books are put into the basket */
    public function put($books) { $this->page->fill($books); }

    /** @Given a shelf with :count books */
    public function holds($count) { $this->shelf->fill($count); }

    /** @Then the shelf's answer is fine */
    public function fine() { Assert::same(200, $this->answer->status()); }

    /** @When I list the shelves */
    public function index() { $this->shelfIndexPage->open(); }

    /** @When I put in order */
    public function putInOrder() { $this->page->open(); $this->order(); }

    private function order() { $this->page->sort('title'); }

    /** @When the shelf goes home */
    public function goHome() { $this->browser->press('home'); }

    private Shopper $seller;

    /** @Given the seller is :shopper */
    public function seller(Shopper $shopper) { $this->seller = $shopper; }

    /** @Given a task of kind :kind */
    public function ofKind($kind) { Tasks::add(kind: $kind); }

    /** @Given a task of owner :owner */
    public function ofOwner($owner) { Tasks::add(owner: $owner); }
}
