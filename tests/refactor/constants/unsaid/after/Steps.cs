using Reqnroll;

[Binding]
public class Steps
{
    private async Task SortBooksBy(int count, string text)
    {
        await Shelf.Open(count);
        await Shelf.Sort(count, text);
    }

    [When(@"I sort (\d+) books by title")]
    public async Task ByTitle(int count)
    {
        await SortBooksBy(count, "the_title");
    }

    [When(@"I sort (\d+) books by price")]
    public async Task ByPrice(int count)
    {
        await SortBooksBy(count, "the_price");
    }

    [When("I close the shop")]
    public void Close() { Shelf.Close(); }
}
