// What customers see of a site: its brand with a preview, its form, and what the links in mails allow.

import type * as z from 'zod';
import { logoTypes, maxLogoBytes } from '../../../../domain/sites/logo.ts';
import type { siteShape } from '../../../../http/wire/sites/site.ts';
import type { Refusal } from '../../../shared/api.ts';
import { Button } from '../../../shared/button.tsx';
import { ChoiceField, FieldNotes, TextField } from '../../../shared/field.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { Link } from '../../route.ts';
import { can } from '../../session.ts';
import type { Edited } from '../edited.ts';
import { copyLine, EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { t } from '../messages.ts';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { t as ofSite } from '../site/messages.ts';
import { BrandPreview, isColor } from './brand-preview.tsx';
import { Choices } from './choices.tsx';

type WholeSite = z.output<typeof siteShape>;

interface PagesValues {
  brand_name: string;
  color: string;
  /** The path of the one that is there, or a new one as a data: URL. */
  logo: string;
  portal: WholeSite['settings']['portal'];
  customer_links: WholeSite['settings']['customer_links'];
}

function valuesOf({ settings: { brand, portal, customer_links } }: WholeSite): PagesValues {
  return { brand_name: brand.name ?? '', color: brand.color ?? '', logo: brand.logo ?? '', portal, customer_links };
}

function bodyOf({ brand_name, color, logo, portal, customer_links }: PagesValues): object {
  const brand = { name: brand_name.trim() || null, color: color.trim() || null, logo: logo || null };
  return { settings: { brand, portal, customer_links } };
}

function problemsIn({ fields }: Refusal): Record<string, string> {
  const known: Record<string, string> = { color: t.pageColorRefused, logo: t.logoRefused };
  return Object.fromEntries(
    Object.entries(fields).map(([path, sentences]) => {
      const last = path.split('.').at(-1) ?? path;
      return [last === 'name' ? 'brand_name' : last, known[last] ?? sentences.join(' ')];
    }),
  );
}

export function PagesSection({ site }: SectionProps) {
  const path = `/sites/${site.id}`;
  const { shown, refusal, reload } = useLiveData<WholeSite>(path);
  const found = shown.value;
  return (
    <>
      <SectionHead title={t.customersPages} lead={t.customersPagesLead} />
      <Loading of={{ shown, refusal, reload }} />
      {found !== null && (
        <>
          <SectionForm<PagesValues, WholeSite>
            label={t.customersPages}
            name={`pages.${site.id}`}
            {...{ found, reload, valuesOf, problemsIn }}
            names={{
              ...{ brand_name: t.brandName, color: t.brandColor, logo: t.brandLogo },
              ...{ portal: t.portal, customer_links: t.customerLinks },
            }}
            fields={['settings.brand.name', 'settings.brand.color', 'settings.brand.logo']}
            // A picture is too much for the browser's storage.
            secrets={['logo']}
            readOnly={can('manage') ? null : t.onlyManagersChange}
            check={({ color }): Record<string, string> =>
              color === '' || isColor(color) ? {} : { color: t.pageColorRefused }
            }
            // The desk does not keep the logo that was there.
            isUndoable={(before, sent) => before.logo === sent.logo}
            put={(values, etag) => ask('PATCH', path, bodyOf(values), { 'If-Match': etag })}
            said={() => t.pagesSaved}
          >
            {(form) => <Fields form={form} siteName={found.data.name} slug={found.data.slug} />}
          </SectionForm>
          <Choices site={site} locale={found.data.settings.locale} />
          <Address slug={found.data.slug} portal={found.data.settings.portal} />
          <p>
            <Link href={settingsPath('general', undefined, site)}>{ofSite.fileTypes}</Link>
          </p>
          <LastChange siteId={site.id} actions={['site.updated']} targetId={site.id} version={found.etag} />
          <EqualCommand
            words={[
              ...['helpdesk', 'site', 'update', found.data.slug, '--portal', found.data.settings.portal],
              ...['--customer-links', found.data.settings.customer_links],
            ]}
          />
        </>
      )}
    </>
  );
}

function Fields({ form, siteName, slug }: { form: Edited<PagesValues>; siteName: string; slug: string }) {
  const { values } = form;
  return (
    <>
      <div class="choices two">
        <TextField
          label={t.brandName}
          hint={t.brandNameHint(siteName)}
          isProse
          maxLength={100}
          {...form.field('brand_name')}
        />
        <TextField label={t.brandColor} hint={t.brandColorHint} isCode maxLength={7} {...form.field('color')} />
      </div>
      <Logo form={form} />
      <BrandPreview
        {...{ slug, name: values.brand_name.trim(), color: values.color }}
        portal={values.portal}
        logo={values.logo}
      />
      <ChoiceField
        label={t.portal}
        hint={t.portalHint}
        options={[
          { value: 'off', text: t.portalOff },
          { value: 'form', text: t.portalForm },
          { value: 'form_and_tickets', text: t.portalTickets },
        ]}
        {...form.field('portal')}
      />
      <ChoiceField
        label={t.customerLinks}
        hint={{ confirm: t.linksConfirmHint, open: t.linksOpenHint, off: t.linksOffHint }[values.customer_links]}
        options={[
          { value: 'confirm', text: t.linksConfirm },
          { value: 'open', text: t.linksOpen },
          { value: 'off', text: t.linksOff },
        ]}
        {...form.field('customer_links')}
      />
    </>
  );
}

function Logo({ form }: { form: Edited<PagesValues> }) {
  const { value, problem, onValue } = form.field('logo');
  function choose(input: HTMLInputElement): void {
    const file = input.files?.[0];
    if (file === undefined) return;
    if (file.size > maxLogoBytes || !logoTypes.some((type) => type === file.type)) {
      input.value = '';
      form.refuse({ logo: t.logoRefused });
      return;
    }
    const reader = new FileReader();
    reader.onload = () => onValue(String(reader.result));
    reader.readAsDataURL(file);
  }
  return (
    <div class="field">
      <label for="brand-logo">{t.brandLogo}</label>
      <input
        id="brand-logo"
        type="file"
        accept={logoTypes.join()}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby="brand-logo-hint"
        onChange={({ currentTarget }) => choose(currentTarget)}
      />
      <FieldNotes id="brand-logo" hint={t.brandLogoHint} problem={problem} />
      {value !== '' && (
        <div>
          <Button kind="quiet" onClick={() => onValue('')}>
            {t.removeLogo}
          </Button>
        </div>
      )}
    </div>
  );
}

function Address({ slug, portal }: { slug: string; portal: PagesValues['portal'] }) {
  const url = `${location.origin}/s/${slug}`;
  return (
    <section class="panel inbound-now" aria-label={t.pagesAddress}>
      <h2>{t.pagesAddress}</h2>
      {portal === 'off' ? (
        <p class="soft">{t.pagesAreOff}</p>
      ) : (
        <>
          <p class="copy-line">
            <a href={url} target="_blank" rel="noopener">
              {url}
            </a>
            <Button kind="quiet" label={t.copyPagesAddress} onClick={() => void copyLine(url, t.pagesAddressCopied)}>
              {t.copyShort}
            </Button>
          </p>
          <p class="soft">{t.pagesEmbed}</p>
        </>
      )}
    </section>
  );
}
