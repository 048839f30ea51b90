// The real page of the site with the brand as it is being edited: in both themes and on a phone, in frames that run no script.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { brandColorPattern, brandTones, contrast } from '../../../../domain/sites/brand-colors.ts';
import { locale } from '../../../shared/format.ts';
import { t } from '../messages.ts';

export const isColor = (color: string) => brandColorPattern.test(color);

const ratio = (value: number) => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value);

interface PreviewProps {
  slug: string;
  name: string;
  color: string;
  portal: string;
  /** Of the saved logo, so that a new one is drawn. */
  logo: string;
}

const views = [
  ['light', ''],
  ['dark', ''],
  ['light', 'phone'],
] as const;

/** Typing asks for one page, not for one with each key. */
const restMs = 400;

export function BrandPreview({ slug, name, color, portal, logo }: PreviewProps) {
  const own = isColor(color) ? color.toLowerCase() : null;
  const wanted = new URLSearchParams({
    ...{ name, color: own ?? '', portal, logo: logo.startsWith('/') ? logo : '' },
    language: locale(),
  });
  const shown = useSignal(String(wanted));
  useEffect(() => {
    const timer = setTimeout(() => {
      shown.value = String(wanted);
    }, restMs);
    return () => clearTimeout(timer);
  }, [String(wanted)]);
  return (
    <section class="brand-previews" aria-label={t.brandPreview}>
      {own !== null && <ColorWords color={own} />}
      <p class="soft">{t.previewHint}</p>
      {/* A picture of the page: nothing in it can be used. */}
      <div inert>
        {views.map(([theme, width]) => (
          <div key={theme + width} class={`brand-preview ${width}`}>
            <iframe
              title={t.brandPreview}
              sandbox="allow-same-origin"
              src={`/s/${slug}/preview?theme=${theme}&${shown.value}`}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

/** What people with weak eyes see of it. The pages darken or lighten a colour that would be lost. */
function ColorWords({ color }: { color: string }) {
  const [light, dark] = [brandTones(color, 'light').accent, brandTones(color, 'dark').accent];
  return (
    <p class="soft" role="status">
      {t.colorOnWhite(ratio(contrast(color, '#ffffff')))}{' '}
      {light === color ? t.colorFineLight : t.colorChangedLight(light)}{' '}
      {dark === color ? t.colorFineDark : t.colorChangedDark(dark)}
    </p>
  );
}
