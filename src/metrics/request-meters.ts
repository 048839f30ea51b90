// Metrics of requests and of the commits that they share.

import type { Batch } from '../engine/writer.ts';
import type { MeterMaker } from './make-meters.ts';

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const commitSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const commitSteps = [1, 2, 4, 8, 16, 32, 64, 128];

export function createRequestMeters({ counter, gauge, histogram }: MeterMaker) {
  const requests = counter('helpdesk_http_requests_total', 'Requests answered.', ['operation', 'status']);
  const requestDuration = histogram(
    'helpdesk_http_request_duration_seconds',
    'Time from the request headers to the start of the response.',
    requestSeconds,
    ['operation'],
  );
  const inFlight = gauge('helpdesk_http_requests_in_flight', 'Requests being answered now.');
  return {
    answered({ operation, status, durationMs }: { operation: string | null; status: number; durationMs: number }) {
      requests.inc({ operation: operation ?? 'none', status });
      requestDuration.observe({ operation: operation ?? 'none' }, durationMs / 1000);
    },
    show(requestsInFlight: number) {
      inFlight.set(requestsInFlight);
    },
  };
}

export function createCommitMeters({ counter, histogram }: MeterMaker) {
  const steps = histogram('helpdesk_commit_steps', 'Write steps in one commit.', commitSteps);
  const commits = histogram(
    'helpdesk_commit_duration_seconds',
    'Duration of a write transaction, including its commit to disk.',
    commitSeconds,
  );
  const lostCommits = counter(
    'helpdesk_commits_failed_total',
    'Transactions that failed to commit; none of their changes were kept.',
  );
  return {
    batch({ steps: count, durationMs, isCommitted }: Batch) {
      if (!isCommitted) {
        lostCommits.inc();
        return;
      }
      steps.observe(count);
      commits.observe(durationMs / 1000);
    },
  };
}
