using Reqnroll;

[Binding]
public class Steps
{
    [When(@"I sort (\d+) books by title")]
    public void ByTitle(int count)
    {
        Shelf.Sort(count, "title");
    }

    [When(@"I sort (\d+) books by price")]
    public void ByPrice(int count)
    {
        Shelf.Sort(count, "price");
    }

    [When("I close the shop")]
    public void Close() { Shelf.Close(); }
}
