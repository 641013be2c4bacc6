mod forms;
mod pages;
