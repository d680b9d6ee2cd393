// Finds what a person would point at. A target is a CSS selector, or a role and a name: ['button', 'Yes'].
((target) => {
  const roles = {
    button: 'button, summary, input[type="button"], input[type="submit"], [role="button"]',
    link: 'a[href], [role="link"]',
    checkbox: 'input[type="checkbox"], [role="checkbox"]',
    radio: 'input[type="radio"], [role="radio"]',
    switch: '[role="switch"]',
    textbox: 'input:not([type]), input[type="text"], input[type="search"], textarea, [role="textbox"]',
    slider: 'input[type="range"], [role="slider"]',
    combobox: 'select, [role="combobox"]',
    file: 'input[type="file"]',
    heading: 'h1, h2, h3, h4, h5, h6, [role="heading"]',
    dialog: 'dialog, [role="dialog"], [role="alertdialog"]',
  };
  const words = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
  const named = (element) => {
    const by = (element.getAttribute('aria-labelledby') ?? '').split(' ').filter((id) => id);
    if (by.length) return words(by.map((id) => document.getElementById(id)?.textContent).join(' '));
    return words(element.getAttribute('aria-label')) || words([...element.labels ?? []].map((label) => label.textContent).join(' '))
      || words(element.textContent) || words(element.value) || words(element.title);
  };
  const isShown = (element) => element.type === 'file' || element.checkVisibility({ visibilityProperty: true });
  if (typeof target === 'string') return [...document.querySelectorAll(target)].find(isShown) ?? document.querySelector(target);
  const [role, name] = target;
  const found = [...document.querySelectorAll(roles[role] ?? `[role="${role}"]`)].filter(isShown);
  return found.find((element) => named(element) === name) ?? found.find((element) => named(element).startsWith(name)) ?? null;
})
