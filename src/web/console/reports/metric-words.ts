// What each number is called, and what it means (docs/spec/reports.md).

import type { MetricName } from '../../../domain/reports/metrics.ts';
import { t } from './messages.ts';

interface Words {
  name: () => string;
  text: () => string;
}

export const metricWords: Readonly<Record<MetricName, Words>> = {
  created: { name: () => t.metricCreated, text: () => t.metricCreatedText },
  resolved: { name: () => t.metricResolved, text: () => t.metricResolvedText },
  reopened: { name: () => t.metricReopened, text: () => t.metricReopenedText },
  reopenings: { name: () => t.metricReopenings, text: () => t.metricReopeningsText },
  backlog: { name: () => t.metricBacklog, text: () => t.metricBacklogText },
  first_response: { name: () => t.dueFirstResponse, text: () => t.metricFirstResponseText },
  next_response: { name: () => t.metricNextResponse, text: () => t.metricNextResponseText },
  first_resolution: { name: () => t.metricFirstResolution, text: () => t.metricFirstResolutionText },
  resolution: { name: () => t.metricResolution, text: () => t.metricResolutionText },
  customer_wait: { name: () => t.metricCustomerWait, text: () => t.metricCustomerWaitText },
  first_response_in_target: { name: () => t.metricFirstInTarget, text: () => t.metricFirstInTargetText },
  resolution_in_target: { name: () => t.metricResolutionInTarget, text: () => t.metricResolutionInTargetText },
  replies: { name: () => t.metricReplies, text: () => t.metricRepliesText },
  replies_to_resolution: { name: () => t.metricRepliesToResolution, text: () => t.metricRepliesToResolutionText },
  one_touch: { name: () => t.metricOneTouch, text: () => t.metricOneTouchText },
  satisfaction: { name: () => t.metricSatisfaction, text: () => t.metricSatisfactionText },
  satisfaction_answered: { name: () => t.metricSatisfactionAnswered, text: () => t.metricSatisfactionAnsweredText },
};

export const metricName = (metric: MetricName) => metricWords[metric].name();
