using Reqnroll;

namespace Shop.Forms
{
    [Binding]
    public class FormSteps
    {
        [Given(@"I fill in ""(.*)""")]
        public async Task GivenIFillIn(string name) => calls.Add(name);
    }
}
