(() => {
  const root = document.documentElement;
  const button = document.getElementById("switch");
  const show = (language) => {
    root.lang = language;
    document.title = root.dataset[language];
    for (const part of document.querySelectorAll("body [data-en]")) {
      part.setAttribute("aria-label", part.dataset[language]);
    }
  };
  button.addEventListener("click", () => show(root.lang === "en" ? "ja" : "en"));
  button.hidden = false;
  root.dataset.ready = "yes";
})();
