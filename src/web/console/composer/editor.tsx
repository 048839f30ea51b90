// The composer of one ticket: what is around the text, and what happens when it is sent.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Refusal } from '../../shared/api.ts';
import { ended } from '../../shared/signed-in.ts';
import { TabPanel, Tabs } from '../../shared/tabs.tsx';
import { useCommands } from '../commands.ts';
import { can, me } from '../session.ts';
import type { TicketDetail } from '../wire.ts';
import type { Draft, Tab } from './draft-types.ts';
import { Files } from './files.tsx';
import { goOn } from './follow-up.ts';
import { edited, type MarkdownAction } from './markdown-edit.ts';
import { t } from './messages.ts';
import { offersFor, takeOffer } from './offers.ts';
import { Preview } from './preview.tsx';
import { Recipients } from './recipients.tsx';
import { newestPublic, unseenMessages } from './seen-messages.ts';
import { SendButtons } from './send-buttons.tsx';
import { SendLater } from './send-later.tsx';
import { send, type Wanted } from './sending.ts';
import { StagedChips } from './staged-chips.tsx';
import { TextBox, write, writtenIn } from './text-box.tsx';
import { Toolbar } from './toolbar.tsx';
import { discardUpload, startUpload, type Upload } from './uploads.ts';
import { OtherVersion, SendRefused, UnseenMessages } from './warnings.tsx';
import { tellPresence } from '../live/live.ts';
