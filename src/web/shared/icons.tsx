// The icons: lines of 1.5 on a grid of 16, in the colour of the text around them.

const paths = {
  alert: 'M8 5v3.5M8 11h.01M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5Z',
  check: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  chevron: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.75 5.75h6.5v6.5h-6.5zM3.75 10.25v-6.5h6.5',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6.25a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5Z',
  hidden:
    'M2 2l12 12M6.5 3.7A6.6 6.6 0 0 1 8 3.5c4 0 6.5 4.5 6.5 4.5s-.6 1.1-1.75 2.25M4 4.8C2.4 6.1 1.5 8 1.5 8S4 12.5 8 12.5c.9 0 1.7-.2 2.4-.5',
  key: 'M10.25 1.75a4 4 0 1 1-2.7 6.95L2.75 13.5v.75h-1v-2l5.25-5.25a4 4 0 0 1 3.25-5.25ZM11.25 4.75h.01',
  lock: 'M4.25 7.25h7.5c.55 0 1 .45 1 1v5c0 .55-.45 1-1 1h-7.5c-.55 0-1-.45-1-1v-5c0-.55.45-1 1-1ZM5.25 7.25V4.5a2.75 2.75 0 0 1 5.5 0v2.75',
  codes: 'M2.75 3.75h10.5v8.5H2.75zM5.25 6.75h2M5.25 9.25h2M9.75 6.75h1M9.75 9.25h1',
  phone: 'M5 1.75h6c.55 0 1 .45 1 1v10.5c0 .55-.45 1-1 1H5c-.55 0-1-.45-1-1V2.75c0-.55.45-1 1-1ZM7.25 12h1.5',
  computer:
    'M2.75 2.75h10.5c.55 0 1 .45 1 1v6c0 .55-.45 1-1 1H2.75c-.55 0-1-.45-1-1v-6c0-.55.45-1 1-1ZM5.5 13.25h5M8 10.75v2.5',
  plus: 'M8 3.5v9M3.5 8h9',
  out: 'M6 3.5H3.5v9h9V10M9 3h4v4M13 3 7.5 8.5',
  print:
    'M4.5 5.75v-4h7v4M4.5 11.25h-1.75c-.55 0-1-.45-1-1v-3.5c0-.55.45-1 1-1h10.5c.55 0 1 .45 1 1v3.5c0 .55-.45 1-1 1H11.5M4.5 9.25h7v5h-7z',
} as const;

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M9 10.5A2.5 2.5 0 0 1 11.5 8h9a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1-2.5 2.5H16l-4.2 4.2c-.3.3-.8.1-.8-.4V19a2.5 2.5 0 0 1-2-2.5z" />
    </svg>
  );
}
