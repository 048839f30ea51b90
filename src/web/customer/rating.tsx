// How the help was: asked by the link in a mail, where it needs no script, and on the page of a ticket.

import type { Rating } from '../../domain/tickets/satisfaction.ts';
import { call } from '../shared/api.ts';
import { count } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { type Submission, useSubmission } from '../shared/submission.ts';
import { refresh } from './fresh.ts';
import { t } from './messages.ts';
import type { RatingPage, ShownThread } from './page-content.ts';
import { waiting, withProof } from './proof.ts';
import { isRunning, say } from './state.ts';

type Given = ShownThread['satisfaction'];

const mostCharacters = 2000;
const others: Record<Rating, Rating> = { good: 'bad', bad: 'good' };
const words = (rating: Rating) => ({ good: t.helpWasGood, bad: t.helpWasBad })[rating];

export function RatingByMail({ rating }: RatingPage) {
  const { reference, given, isFinal, chosen, problem, typed, isSaved } = rating;
  return (
    <div class="card narrow" id="rating">
      <h1>{given === null ? t.howWasHelpWith(reference) : t.thanksForRating}</h1>
      {given === null && <p class="soft">{t.confirmRating}</p>}
      {problem !== null && (
        <p class="notice error" role="alert">
          {{ too_long: t.tooLong(count(mostCharacters)), busy: t.busy, failed: t.failed }[problem]}
        </p>
      )}
      {isSaved && problem === null && given !== null && (
        <p class="notice" role="status">
          {given.comment === null ? t.ratingSaved : t.commentSaved}
        </p>
      )}
      {isFinal ? <Said given={given} /> : <RatingForm {...{ given, chosen, typed }} />}
    </div>
  );
}

function Said({ given }: { given: Given }) {
  if (given === null) return null;
  return (
    <>
      <p class="rated">
        <Icon name={given.rating} />
        {words(given.rating)}
      </p>
      {given.comment !== null && (
        <p class="words" dir="auto">
          {given.comment}
        </p>
      )}
    </>
  );
}

interface RatingFormProps {
  given: Given;
  /** What the link says, or null. */
  chosen: Rating | null;
  typed?: string | null;
  /** Without it, the browser sends the form to the address of the page. */
  submission?: Submission;
  onSend?: (rating: Rating, comment: string | undefined) => void;
}

/** First one of two buttons; then words, and the other button. */
function RatingForm({ given, chosen, typed = null, submission, onSend }: RatingFormProps) {
  const isHeld = submission !== undefined && (submission.waitSeconds.value > 0 || waiting.value !== null);
  const button = (rating: Rating, kind: 'primary' | 'plain' | 'quiet', text: string) => (
    <button
      type="submit"
      key={rating}
      class={`button ${kind}`}
      name="rating"
      value={rating}
      aria-busy={submission?.isBusy.value || undefined}
      aria-disabled={isHeld || submission?.isBusy.value || undefined}
    >
      {kind !== 'primary' || given === null ? <Icon name={rating} /> : null}
      <span class="button-text">{text}</span>
    </button>
  );
  const first = chosen ?? 'good';
  return (
    <form
      method="post"
      aria-label={t.howWasHelp}
      onSubmit={
        onSend &&
        ((event) => {
          event.preventDefault();
          if (isHeld || submission?.isBusy.peek()) return;
          const data = new FormData(event.currentTarget, event.submitter as HTMLElement | null);
          const comment = data.get('comment');
          onSend(data.get('rating') === 'bad' ? 'bad' : 'good', comment === null ? undefined : String(comment));
        })
      }
    >
      {given === null ? (
        <div class="row">
          {button(first, chosen === null ? 'plain' : 'primary', words(first))}
          {button(others[first], 'plain', words(others[first]))}
        </div>
      ) : (
        <>
          <p class="rated">
            <Icon name={given.rating} />
            {words(given.rating)}
          </p>
          <div class="field">
            <label for="rating-comment">{t.tellUsMore}</label>
            <textarea id="rating-comment" name="comment" rows={4} maxLength={mostCharacters} dir="auto">
              {typed ?? given.comment ?? ''}
            </textarea>
          </div>
          <div class="row">
            {button(given.rating, 'primary', t.send)}
            {button(others[given.rating], 'quiet', t.changeRating(words(others[given.rating])))}
          </div>
        </>
      )}
    </form>
  );
}

/** On the page of a ticket: drawn by the script, because the browser may have to prove whose it is. */
export function RatingOnPage({ thread }: { thread: ShownThread }) {
  const submission = useSubmission();
  const { may, satisfaction: given, ticket } = thread;
  if (!isRunning.value || (!may.rate && given === null)) return null;

  async function send(rating: Rating, comment: string | undefined): Promise<void> {
    const path = `/customer/ticket/satisfaction?ticket=${ticket.ulid}`;
    const done = await submission.send(() =>
      withProof(
        () => call('POST', path, { rating, comment }),
        () => send(rating, comment),
      ),
    );
    if (done === null) return;
    await refresh();
    say(comment === undefined || comment.trim() === '' ? t.ratingSaved : t.commentSaved);
  }

  return (
    <section class="card rating" id="rating" aria-labelledby="rating-title">
      <h2 id="rating-title">{given === null ? t.howWasHelp : t.thanksForRating}</h2>
      <SubmissionNotice submission={submission} />
      {may.rate ? (
        <RatingForm
          // What was typed gives way to what the desk has.
          key={`${given?.rating} ${given?.comment}`}
          {...{ given, chosen: null, submission }}
          onSend={(rating, comment) => void send(rating, comment)}
        />
      ) : (
        <Said given={given} />
      )}
    </section>
  );
}
