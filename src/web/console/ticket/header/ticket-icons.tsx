// The icons of the ticket page, drawn like those of every page.

const paths = {
  back: 'M9.75 3.75 5.5 8l4.25 4.25',
  next: 'M6.25 3.75 10.5 8l-4.25 4.25',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  snooze: 'M8 2.75a5.25 5.25 0 1 1 0 10.5 5.25 5.25 0 0 1 0-10.5ZM8 5v3.25l2 1.25',
  listPane: 'M2.75 3.25h10.5v9.5H2.75zM6.25 3.25v9.5',
  detailsPane: 'M2.75 3.25h10.5v9.5H2.75zM9.75 3.25v9.5',
  lock: 'M4.75 7.25h6.5c.55 0 1 .45 1 1v4c0 .55-.45 1-1 1h-6.5c-.55 0-1-.45-1-1v-4c0-.55.45-1 1-1ZM5.5 7.25V5a2.5 2.5 0 0 1 5 0v2.25',
  file: 'M4.25 1.75h5l3 3v9.5h-8zM9 1.75v3.25h3.25',
  clip: 'm13 7.25-5.3 5.3a3 3 0 0 1-4.25-4.25l5.3-5.3a2 2 0 0 1 2.85 2.85l-5.3 5.3a1 1 0 0 1-1.4-1.4l4.75-4.8',
  download: 'M8 2.5v8M4.75 7.5 8 10.75l3.25-3.25M2.75 13.5h10.5',
  down: 'M8 3v10M4 9l4 4 4-4',
  mail: 'M2.25 3.75h11.5v8.5H2.25zM2.5 4.25 8 8.75l5.5-4.5',
  merge: 'M4 2.5v3c0 2 4 2.5 4 5v3M12 2.5v3c0 2-4 2.5-4 5',
  split: 'M8 2.5v3c0 2.5-4 3-4 5v3M8 5.5c0 2.5 4 3 4 5v3',
  spam: 'M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4zM8 5v3.5M8 11h.01',
  erase: 'M6 14.25h8M9.5 3 13 6.5 6.25 13.25H4L2 11.25z',
  link: 'M6.75 9.25a2.5 2.5 0 0 0 3.5 0l2.5-2.5a2.5 2.5 0 0 0-3.5-3.5l-.75.75M9.25 6.75a2.5 2.5 0 0 0-3.5 0l-2.5 2.5a2.5 2.5 0 0 0 3.5 3.5l.75-.75',
  image: 'M2.75 2.75h10.5v10.5H2.75zM2.75 11l3-3 2.5 2.5 2-2 3 3M10.5 5.75h.01',
} as const;

export function TicketIcon({ name }: { name: keyof typeof paths }) {
  const isTurned = ['back', 'next', 'listPane', 'detailsPane'].includes(name);
  return (
    <svg class={`icon${isTurned ? ' turned' : ''}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
