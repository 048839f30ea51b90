// The desk's QR code, drawn from its numbers: text from a server never becomes HTML here.

interface QrCodeProps {
  svg: string;
  label: string;
}

/** Dark on light, because many apps cannot read the opposite. */
export function QrCode({ svg, label }: QrCodeProps) {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1] ?? 0);
  const path = [...svg.matchAll(/<path[^>]*\sd="([MmHhVvLlZz\d ,.-]+)"/g)].map(([, d]) => d).join('');
  if (size === 0 || path === '') return null;
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}
