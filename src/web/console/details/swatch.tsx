// The colour that a site gave to a category or priority, or a ring for none. The name next to it says the same.

export function Swatch({ color }: { color: string | null }) {
  return (
    <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true" focusable="false">
      {color === null ? (
        <circle cx="4" cy="4" r="3.5" fill="none" stroke="currentColor" />
      ) : (
        <circle cx="4" cy="4" r="4" fill={color} />
      )}
    </svg>
  );
}
