// Only under `bun run dev`: reloads the page when the browser code changed or the desk started again.

let startedAs: string | null = null;
const changes = new EventSource('/assets/changes');
changes.addEventListener('start', ({ data }) => {
  if (startedAs !== null && startedAs !== data) location.reload();
  startedAs = data;
});
changes.addEventListener('change', () => location.reload());
