using Reqnroll;
using Shop.Pages;

namespace Shop.Steps;

[Binding]
public class BasketSteps : StepBase
{
    private const string Name = "Emma";
    private readonly Page<Basket> _page;
    private readonly ScenarioContext _context;
    private Response _response;

    public BasketSteps(Page<Basket> page, ScenarioContext context)
    {
        _page = page;
        _context = context;
    }

    [Given("a basket with {int} books")]
    public async Task Holds(int count)
    {
        Console.WriteLine("filling");
        await _page.Fill(count);
    }

    [Given("{int} books in the basket")]
    public Task ThereAre(int books) => _page.Fill(books); // so many

    [Given("perhaps {int} books")]
    public async Task Perhaps(int count = 0) { await _page.Put(count); }

    [Given("maybe {int} books")]
    public async Task Maybe(int count = 1) { await _page.Put(count); }

    [When("I choose Emma")]
    public void Choose() { _page.Choose(Name); }

    [When("I choose the novel")]
    public void ChooseNovel() { _page.Choose(@"Emma"); }

    [When("I choose Persuasion")]
    public void ChooseOther() { _page.Choose("Persuasion"); }

    [Then("the answer is fine")]
    public void Fine() { Assert.Equal(200, _response.Status); }

    [When("I buy {int} books")]
    public async Task Buy(int count) { await Holds(count); }

    [When("I shop")]
    public void Shop() { Given("a basket with 3 books"); }

    [When("I tidy up")]
    public void TidyUp() { _page.Open(); Sort(); }

    private void Sort() => _page.Sort("title");

    [Then("all is well")]
    public void Well() { var book = _page.First(); Assert.Equal("fine", book.State); }

    [Then("all is very well")]
    public void VeryWell()
    {
        var found = _page.First();
        Assert.Equal("fine", found.State);
        Assert.Equal(0, found.Dust);
    }

    [Then("it is pending")]
    public void Pending() { _context.Pending(); }

    [When("the context is set")]
    public void Set() { _context["a"] = 1; }

    [Given("a book called (.*)")]
    public void Called(string title) { _context.Add(new { title }); }

    [Given("a book by (.*)")]
    public void By(string author) { _context.Add(new { author }); }

    [Given("a shelf for (.*)")]
    public void For(string use) { _context.Add(new Shelf { use = use }); }

    [Given("a shelf of (.*)")]
    public void Of(string wood) { _context.Add(new Shelf { wood = wood }); }
}
