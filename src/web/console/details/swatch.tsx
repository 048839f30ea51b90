// The colour that a site gave to a category or priority. The name next to it says the same.

export function Swatch({ color }: { color: string }) {
  return (
    <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true" focusable="false">
      <circle cx="4" cy="4" r="4" fill={color} />
    </svg>
  );
}
