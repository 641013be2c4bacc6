using Reqnroll;

[Binding]
public class Steps
{
    [Given(@"I open the ""(.*)"" page")]
    public async Task GivenIOpenThePage(string page)
    {
        calls.Add(page);
    }

    [Given(@"I fill in (\d+) names like ""(.*)""")]
    public void GivenIFillIn(int count, Name name) => calls.Add(name);

    [Given(@"^I am logged in (-?\d+) times as ""([^""]*)""$")]
    public async Task GivenIAmLoggedInTimesAs(int count, Name name)
    {
        await GivenIOpenThePage("it's a login");
        GivenIFillIn(count, name);
        GivenIPressTheButton();
    }

    [Given(@"I press the button")]
    public void GivenIPressTheButton() { }

    [When(@"I (\w+)$")]
    public void WhenI(string act) { }

    [Then(@"all is done")]
    public void Done() { }
}
