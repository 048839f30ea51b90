// A classic script before the stylesheet: the page is never painted in the wrong theme.

const system = matchMedia('(prefers-color-scheme: dark)');

function apply(): void {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem('helpdesk.theme');
  } catch {
    // Without storage the system decides.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

apply();
system.addEventListener('change', apply);
// Another tab has chosen, or this one, through src/web/shared/preferences.ts.
addEventListener('storage', apply);
