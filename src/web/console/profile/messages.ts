// The messages of the profile, which has passwords and passkeys as signing in has.

import type { ProfileMessages } from '../../messages/console/en/profile.ts';
import type { SignInMessages } from '../../messages/sign-in/en/pages.ts';
import { addMessages } from '../../shared/messages.ts';
import '../../shared/sign-in-messages.ts';
import { catalogues } from '../part-messages.ts';

export const t = addMessages<ProfileMessages, SignInMessages>(catalogues.profile);
