using Reqnroll;

namespace Shop.Steps
{
    public abstract class Corner(ScenarioContext context)
    {
        protected Shelf shelf;
        protected readonly ScenarioContext context = context;

        protected void Sweep() => shelf.Sweep(context.Broom);
        protected void Leave() => shelf.Leave();
    }

    [Binding]
    public class Window : Corner
    {
        public Window(ScenarioContext context) : base(context) => shelf = context.Window;

        [When("I sweep the window")]
        public void SweepWindow() => Sweep();

        [When("I leave the window")]
        public void LeaveWindow() => Leave();

        [When("I go from the window")]
        public void GoFromWindow() => Leave();
    }

    [Binding]
    public class Door : Corner
    {
        public Door(ScenarioContext context) : base(context) => shelf = context.Door;

        [When("I sweep the door")]
        public void SweepDoor() => Sweep();
    }

    [Binding]
    public class Yard(ScenarioContext context) : Corner(context)
    {
        [When("I sweep the yard")]
        public void SweepYard() => Sweep();
    }

    [Binding]
    public class Garden(ScenarioContext context) : Corner(context)
    {
        [When("I sweep the garden")]
        public void SweepGarden() => Sweep();
    }

    [Binding]
    public class Cellar(ScenarioContext context) : CornerBelow(context)
    {
        [When("I sweep the cellar")]
        public void SweepCellar() => new Broom(context).Sweep();
    }

    [Binding]
    public class Attic(ScenarioContext context) : CornerAbove(context)
    {
        [When("I sweep the attic")]
        public void SweepAttic() => new Broom(context).Sweep();
    }

    [Binding]
    public class Roof(RoofContext context) : CornerAbove(context)
    {
        [When("I sweep the roof")]
        public void SweepRoof() => new Broom(context).Sweep();
    }
}
