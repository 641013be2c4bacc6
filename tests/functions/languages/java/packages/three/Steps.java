package garden.tools.three;

import io.cucumber.java.en.*;
import org.openqa.selenium.*;

public class Steps {
    @When("I press inside")
    public void press() {
        driver.findElement(By.id("gate")).click();
    }

    @When("I latch inside")
    public void latch() {
        driver.findElement(Gate.latch()).click();
    }
}

class Gate {
    static By latch() {
        return By.id("three");
    }
}
