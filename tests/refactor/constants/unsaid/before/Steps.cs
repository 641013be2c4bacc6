using Reqnroll;

[Binding]
public class Steps
{
    [When(@"I sort (\d+) books by title")]
    public async Task ByTitle(int count)
    {
        await Shelf.Open(count);
        await Shelf.Sort(count, "the_title");
    }

    [When(@"I sort (\d+) books by price")]
    public async Task ByPrice(int count)
    {
        await Shelf.Open(count);
        await Shelf.Sort(count, "the_price");
    }

    [When("I close the shop")]
    public void Close() { Shelf.Close(); }
}
