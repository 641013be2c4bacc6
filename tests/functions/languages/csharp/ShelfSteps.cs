using Reqnroll;
using Shop.Pages;

namespace Shop.Steps
{
    [Binding]
    public class ShelfSteps
    {
        private readonly Page<Basket> basket;
        private readonly Page<Shelf> _page;
        private ScenarioContext scenario;
        private Response _response;

        public ShelfSteps(Page<Basket> basket, Page<Shelf> page, ScenarioContext scenario)
        {
            this.basket = basket;
            this._page = page;
            this.scenario = scenario;
        }

        [Given("{int} books are put into the basket")]
        public async Task Put(int books) { await this.basket.Fill(books); }

        [Given("a shelf with {int} books")]
        public async Task Holds(int count) { await _page.Fill(count); }

        [Then("the shelf's answer is fine")]
        public void Fine() { Assert.Equal(200, _response.Status); }

        [When("I put in order")]
        public void PutInOrder() { basket.Open(); Order(); }

        private void Order() { basket.Sort("title"); }

        [When("the scenario is set")]
        public void Set() { scenario["a"] = 1; }
    
        [Then("there is a task of kind {string}")]
        public void OfKind(string kind) { Tasks.Has(kind: kind); }

        [Then("there is a task of owner {string}")]
        public void OfOwner(string owner) { Tasks.Has(owner: owner); }
    }
}
