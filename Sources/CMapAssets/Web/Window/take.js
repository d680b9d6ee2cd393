'use strict';
// Taking regions from others.

appWindow.take = {
  /** The distances on each side of a route, in metres. */
  widths: [250, 500, 1000, 2000, 3000, 5000, 10000, 20000],

  /** What a person chooses of the map: the whole of it, a strip along an own route, or the area of an own map. */
  part() {
    const { widths } = appWindow.take;
    const select = element('select', { id: 'take-part' });
    const slider = element('input', { id: 'take-width', type: 'range', min: 0, max: widths.length - 1, step: 1, value: 3 });
    const width = element('label', { for: 'take-width' });
    const strip = element('p', { hidden: true }, width, slider);
    const hint = element('p', { className: 'item-facts', hidden: true },
      'The other laptop gets to know the line, or the area. It makes the part; you see its size before you say yes.');
    const chosen = () => select.selectedOptions[0]?.wanted;
    const show = () => {
      const words = Words.distance(widths[slider.value]);
      width.textContent = `Up to ${words} on each side of the route:`;
      slider.setAttribute('aria-valuetext', words);
      strip.hidden = !chosen()?.route;
      hint.hidden = !chosen();
    };
    select.addEventListener('change', show);
    slider.addEventListener('input', show);
    const choice = (words, wanted) => Object.assign(element('option', {}, words), { wanted });
    const load = async () => {
      try {
        const [routes, { regions }] = await Promise.all([appWindow.read('routes'), appWindow.read('../regions.json')]);
        const groups = new Map();
        for (const route of routes) {
          if (!groups.has(route.region)) groups.set(route.region, element('optgroup', { label: `Along a route of ${route.regionName}` }));
          groups.get(route.region).append(choice(
            Words.name(route) + (route.distance === undefined ? '' : `, ${Words.distance(route.distance)}`),
            { region: route.region, route: route.id },
          ));
        }
        const areas = element('optgroup', { label: 'In the area of a map' }, ...regions
          .filter((region) => !region.isAreaUnknown)
          .map((region) => choice(`${region.name}, ${Words.area(region.bounds)}`, { region: region.id })));
        select.replaceChildren(choice('The whole map'), ...groups.values(), ...(regions.length ? [areas] : []));
      } catch (error) {
        select.replaceChildren(choice('The whole map'));
      }
      show();
    };
    select.append(choice('The whole map'));
    show();
    return {
      load,
      /** What the program is asked for; undefined for the whole map. */
      wish: () => chosen() && (chosen().route ? { ...chosen(), within: widths[slider.value] } : chosen()),
      elements: [element('p', {}, element('label', { for: 'take-part' }, 'How much of the map:'), select), strip, hint],
    };
  },

  /** A switch that keeps the maps up to date, and what it has done. */
  keeping() {
    const [on, news] = [appWindow.option('Keep my maps up to date'), appWindow.option('Also take maps that I do not have')];
    on.box.setAttribute('role', 'switch');
    const [status, lines] = [element('p', { role: 'status' }), element('ul', { className: 'kept' })];
    const refusal = element('p', { className: 'problem', role: 'alert' });
    on.box.addEventListener('change', async () => {
      refusal.textContent = await appWindow.post('keep', { on: on.box.checked, new: news.box.checked });
      if (refusal.textContent) on.box.checked = false;
    });
    const summary = element('summary', {}, 'Keep my maps up to date');
    let newest = 0;
    let since = '';
    appWindow.shown.push(({ keeping }) => {
      on.box.checked = keeping.phase === 'on';
      on.box.disabled = keeping.phase === 'ending';
      news.box.disabled = keeping.phase !== 'off';
      if (keeping.phase !== 'off') news.box.checked = keeping.takesNew;
      const words = { off: '', ending: ' · ending', on: ' · on' }[keeping.phase];
      if (summary.dataset.words !== words) {
        summary.dataset.words = words;
        summary.textContent = `Keep my maps up to date${words}`;
      }
      const what = keeping.status ? WindowText.words(keeping.status)
        : keeping.phase === 'on' ? `Waiting for machines that you trust, since ${Words.time(keeping.since)}.` : '';
      if (status.textContent !== what) status.textContent = what;
      const last = keeping.lines.at(-1)?.number ?? 0;
      if (last === newest && keeping.since === since) return;
      [newest, since] = [last, keeping.since];
      lines.replaceChildren(...keeping.lines.toReversed().map((line) => element(
        'li', { className: line.isProblem ? 'problem' : '' },
        element('span', { className: 'item-facts' }, Words.time(line.time)), ...WindowText.blocks(line.text),
        ...line.drawings.map(WindowText.drawing),
        line.region && element('a', { href: `${line.region}/` }, 'Show the map'),
      )));
      if (keeping.lines.some(({ region }) => region)) showRegions();
    });
    return element(
      'details', { id: 'window-keep' }, summary,
      element('p', {}, 'While this window is open, newer versions from the machines that you trust are taken without a question. '
        + 'What you have edited stays. When the window is closed, it is off.'),
      news.label, on.label, refusal, status, lines,
    );
  },
};

{
  const [link, network] = [
    appWindow.option('I have a share link'), appWindow.option('Join the Wi-Fi network that the sender has made'),
  ];
  const part = appWindow.take.part();
  appWindow.sectionsAbove.push(() => element(
    'section', { id: 'window-take', 'aria-label': 'Receive' },
    appWindow.starter('Receive a map', 'action', () => appWindow.act('receive', {
      link: link.box.checked, join: network.box.checked && !link.box.checked, part: part.wish(),
    })),
  ));
  appWindow.foldsAbove.push(() => {
    const others = element(
      'details', { id: 'window-ways' }, element('summary', {}, 'Other ways'), link.label, network.label, ...part.elements,
    );
    others.addEventListener('toggle', () => { if (others.open) part.load(); });
    return others;
  });
}

appWindow.sectionsBelow.push(() => appWindow.take.keeping());
