using Reqnroll;

[Binding]
public class Steps
{
    [When(@"I sort (\d+) books by (title|price)")]
    public void ByTitle(int count, string text)
    {
        Shelf.Sort(count, text);
    }

    [When("I close the shop")]
    public void Close() { Shelf.Close(); }
}
