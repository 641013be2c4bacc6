using TechTalk.SpecFlow;

[Binding]
public sealed class MachineSteps
{
    [Given(@"the machine is ready")]
    public void GivenTheMachineIsReady() => Ready();

    [Given("there are (.*) apples")]
    public void GivenThereAreApples(int count) { }

    [When(@"""(.*)"" takes (\d+) of them")]
    public void WhenTakes(string who, int count) { }

    [Then("it holds (\\d+) apples?")]
    public void Holds(int count) { }

    [Then("the sign is (red|amber)")]
    public void Sign(string colour) { }

    [Then(Regex = @"it costs (\d+) € \(net\)")]
    public void Price(int amount) { }

    [Then("the lid is {string}")]
    public void Lid(string state) { }
}
