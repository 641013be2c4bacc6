// Other extensions that serve Gherkin: where one is active, what both would do is left to it.

/** Ids of extensions that complete steps and go to their definitions. */
export const OTHERS = ["CucumberOpen.cucumber-official", "alexkrechik.cucumberautocomplete"] as const;

export type Switch = "auto" | "on" | "off";

/** Whether a feature is on; `auto` is on unless another extension has it. */
export function isOn(value: Switch | undefined, other: boolean): boolean {
  return value === "on" || (value !== "off" && !other);
}
