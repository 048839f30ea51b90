// What agents choose for themselves, and the desk for all of them (docs/spec/people.md#roles).

export const locales = ['en', 'nl', 'de', 'fr', 'es'] as const;
export type Locale = (typeof locales)[number];

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const secondFactorPolicies = ['off', 'managers', 'everyone'] as const;
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number];

export const noticeWays = ['mail', 'desktop'] as const;
export const notices = ['assigned', 'customer_replied', 'sla_warning', 'sla_breached', 'channel_disabled'] as const;
