(** * col:convex_per: FedIGW with LSGD-PFL

    As ColConvex.v, with d^a shared and d^b personal coordinates, d~ = d^a + M d^b: every agent runs local steps on all of its own
    coordinates and the server averages the shared ones.  In the norm norm(alpha)^2 + sum_m norm(beta_m)^2 / M the average has mu = 2/n
    and beta = 2(1 + M/n), E norm(xs)^2 <= (1 + sqrt C)^2, E sigma^2 <= 1 + 4M/n, E zeta^2 <= (sqrt M + 2 sqrt C)^2/n with
    C = d~/4 + M; personal noise does not average out, so tau^2 <= sigma^2 only.  A call that [accurate_call] accepts with
    tol = delta^2 A/n, A = d~/4 + 9M/4, has the excess risk (1 + delta)^2 A/n.  Main results:
    [col_convex_per_repaired], [_sharpened], [_best], [_best_two_arms], with the bounds of col:linear_per at (1 + delta)^2 A.  *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting AcceleratedGradient RidgeExcessRisk Constants BestParameters
  Protocol DoublingSchedule DoublingRegret DoublingAnyRisk Exchangeability RidgeSamples RidgeProtocol RidgeDifferentLaws LinearRegret
  LinearDifferentLaws ColLinearPer CertifiedRegret LocalSteps LocalRuns AgentSpace LocalConvergence RidgeMoments LocalRidge LocalEpoch ColConvex.
Import ListNotations.
Open Scope R_scope.

(** ** Where the agents' coordinates are in the lifted vector *)
Section Places.
  Variables (M da db : nat).
  Let own (m : nat) := db.
  Definition lifted_place (m i : nat) : nat := if Nat.ltb i da then i else (da + (before (fun _ => db) m + (i - da)))%nat.
  Notation dim := (lifted_dimension da (fun _ => db) M).
  Lemma lifted_below m i : (m < M)%nat -> (i < da + db)%nat -> (lifted_place m i < dim)%nat.
  Proof.
    intros Hm Hi. unfold lifted_place, lifted_dimension. destruct (Nat.ltb_spec i da); [lia|]. pose proof (before_mono own (S m) M ltac:(lia)) as H0. cbn [before] in H0. unfold own in H0. lia.
  Qed.
  Lemma lifted_shared m i : (m < M)%nat -> (i < da)%nat -> lifted_place m i = i.
  Proof. intros _ Hi. unfold lifted_place. apply Nat.ltb_lt in Hi. rewrite Hi. reflexivity. Qed.
  Lemma lift_at_shared m v i : (i < da)%nat -> lift da own M m v i = v i.
  Proof. intro Hi. unfold lift. apply Nat.ltb_lt in Hi. rewrite Hi. reflexivity. Qed.
  Lemma lift_at_own m m' v j : (m < M)%nat -> (j < db)%nat -> lift da own M m' v (da + (before own m + j))%nat = if Nat.eqb m m' then v (da + j)%nat else 0.
  Proof. intros Hm Hj. unfold lift. rewrite not_shared, (block da own M m j Hm Hj). reflexivity. Qed.
  Lemma place_own m j : lifted_place m (da + j) = (da + (before own m + j))%nat.
  Proof. unfold lifted_place. rewrite not_shared. unfold own. lia. Qed.
  Lemma lift_at_place m m' v i : (m < M)%nat -> (da <= i)%nat -> (i < da + db)%nat -> lift da own M m' v (lifted_place m i) = if Nat.eq_dec m' m then v i else 0.
  Proof.
    intros Hm Ha Hi. replace i with (da + (i - da))%nat by lia. rewrite place_own, lift_at_own by lia.
    destruct (Nat.eqb_spec m m'), (Nat.eq_dec m' m); try congruence; reflexivity.
  Qed.
  Lemma lift_dot_any m v x : (m < M)%nat -> dot dim (lift da own M m v) x = dot (da + db) v (restrict lifted_place m x).
  Proof.
    intro Hm. unfold dot. apply (lifted_sum da own M m (fun i => v i * restrict lifted_place m x i)); [exact Hm| |].
    - intros i Hi. rewrite lift_at_shared by exact Hi. unfold restrict. rewrite lifted_shared by assumption. reflexivity.
    - intros m' j Hm' Hj. rewrite lift_at_own by assumption. destruct (Nat.eqb_spec m' m) as [->|]; [|ring]. unfold restrict. rewrite place_own. reflexivity.
  Qed.
  Lemma lift_combination m J (c : nat -> R) (p : nat -> vector) : (m < M)%nat ->
    square_norm (da + db) (fun i => sum J (fun j => c j * p j i)) = square_norm dim (fun i => sum J (fun j => c j * lift da own M m (p j) i)).
  Proof.
    intro Hm. symmetry. unfold square_norm. apply (lifted_sum da own M m (fun i => sum J (fun j => c j * p j i) ^ 2)); [exact Hm| |].
    - intros i Hi. f_equal. apply sum_ext. intros j _. rewrite lift_at_shared by exact Hi. reflexivity.
    - intros m' j Hm' Hj. destruct (Nat.eqb_spec m' m) as [->|Hn].
      + f_equal. apply sum_ext. intros q _. rewrite lift_at_own, Nat.eqb_refl by assumption. reflexivity.
      + rewrite (sum_ext J _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros q _. rewrite lift_at_own by assumption. destruct (Nat.eqb_spec m' m); [congruence|ring].
  Qed.
  Hypothesis HM : (1 <= M)%nat.
  Lemma restricted_norm v : sum M (fun m => / INR M * square_norm (da + db) (restrict lifted_place m v)) <= square_norm dim v.
  Proof.
    assert (M1 : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM). assert (I : 0 < / INR M <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    unfold square_norm, lifted_dimension. rewrite (sum_join da (before (fun _ => db) M)), (sum_blocks own M).
    rewrite (sum_ext M _ (fun m => / INR M * sum da (fun i => v i ^ 2) + / INR M * sum db (fun j => v (da + (before own m + j))%nat ^ 2))).
    - rewrite sum_plus, sum_const. replace (INR M * (/ INR M * sum da (fun i => v i ^ 2))) with (sum da (fun i => v i ^ 2)) by (field; lra). apply Rplus_le_compat_l.
      apply sum_le. intros m _. unfold own at 2. set (s := sum db (fun j => v (da + (before own m + j))%nat ^ 2)).
      assert (0 <= s) by (apply sum_nonneg; intros; apply pow2_ge_0). apply Rle_trans with (1 * s); [apply Rmult_le_compat_r; lra|right; ring].
    - intros m Hm. rewrite <- Rmult_plus_distr_l, sum_join. f_equal. f_equal.
      + apply sum_ext. intros i Hi. unfold restrict. rewrite lifted_shared by assumption. reflexivity.
      + apply sum_ext. intros j _. unfold restrict. rewrite place_own. reflexivity.
  Qed.
  Lemma restrict_together (w : nat -> vector) m i : (forall m i, (i < da)%nat -> w m i = w O i) -> (m < M)%nat -> (i < da + db)%nat ->
    restrict lifted_place m (put_together da own M w) i = w m i.
  Proof.
    intros Hs Hm Hi. unfold restrict. destruct (lt_dec i da) as [Ha|Ha].
    - rewrite lifted_shared by assumption. unfold put_together. rewrite (Hs m i Ha). apply Nat.ltb_lt in Ha. rewrite Ha. reflexivity.
    - replace i with (da + (i - da))%nat by lia. rewrite place_own. unfold put_together. rewrite not_shared, (block da own M m (i - da) Hm) by (unfold own; lia). reflexivity.
  Qed.
  Lemma lifted_point (v : nat -> vector) : (forall m i, (m < M)%nat -> (i < da)%nat -> v m i = v O i) -> exists V : vector,
    (forall m i, (m < M)%nat -> (i < da + db)%nat -> restrict lifted_place m V i = v m i) /\
    square_norm dim V <= sum M (fun m => / INR M * sum (da + db) (fun i => block_weight M da i * v m i ^ 2)).
  Proof.
    intro Hv. set (w := fun m i => if Nat.ltb i da then v O i else v m i). exists (put_together da own M w).
    assert (M1 : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    assert (Hw : forall m i, (i < da)%nat -> w m i = w O i) by (intros m i Hi; unfold w; apply Nat.ltb_lt in Hi; rewrite Hi; reflexivity). split.
    - intros m i Hm Hi. rewrite (restrict_together w m i Hw Hm Hi). unfold w. destruct (Nat.ltb_spec i da); [symmetry; apply Hv; assumption|reflexivity].
    - right. unfold square_norm, lifted_dimension. rewrite (sum_join da (before (fun _ => db) M)), (sum_blocks own M).
      rewrite (sum_ext M (fun m => / INR M * _) (fun m => / INR M * sum da (fun i => v O i ^ 2) + sum db (fun j => v m (da + j)%nat ^ 2))).
      + rewrite sum_plus, sum_const. f_equal.
        * replace (INR M * (/ INR M * sum da (fun i => v O i ^ 2))) with (sum da (fun i => v O i ^ 2)) by (field; lra).
          apply sum_ext. intros i Hi. unfold put_together, w. apply Nat.ltb_lt in Hi. rewrite !Hi. reflexivity.
        * apply sum_ext. intros m Hm. apply sum_ext. intros j Hj. f_equal. pose proof (restrict_together w m (da + j)%nat Hw Hm ltac:(lia)) as E. unfold restrict in E. rewrite place_own in E.
          rewrite E. unfold w. destruct (Nat.ltb_spec (da + j) da); [lia|reflexivity].
      + intros m Hm. rewrite sum_join, Rmult_plus_distr_l. f_equal.
        * f_equal. apply sum_ext. intros i Hi. unfold block_weight. rewrite (Hv m i Hm Hi). apply Nat.ltb_lt in Hi. rewrite Hi. ring.
        * rewrite <- sum_scal. apply sum_ext. intros j _. unfold block_weight. destruct (Nat.ltb_spec (da + j) da); [lia|]. field. lra.
  Qed.
End Places.

(** ** The regret *)
Section Personalised.
  Variables (M k da db T : nat) (X : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (phi : nat -> nat -> nat -> vector) (w : nat -> vector).
  Local Notation own := (fun _ : nat => db).
  Local Notation dim := (lifted_dimension da (fun _ => db) M).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis Hdim : (1 <= lifted_dimension da (fun _ => db) M)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlocal : forall m x a, Expect (reward_law m x a) (fun r => r) = dot (da + db) (phi m x a) (w m).
  Hypothesis Hshared : forall m i, (i < da)%nat -> w m i = w O i.
  Hypothesis Hphi : forall m x a, square_norm (da + db) (phi m x a) <= 1.
  Hypothesis Hw : forall m, square_norm (da + db) (w m) <= 1.
  Variables (out : output) (way : method) (local_steps : nat) (server_step delta : R) (eta : nat -> R) (rounds : nat -> nat).
  Hypothesis Hsteps : (1 <= local_steps)%nat.
  Hypothesis Hserver : 1 <= server_step.
  Hypothesis Hdelta : 0 < delta.
  Local Notation A := (different_constant (INR dim) (INR M)).
  Local Notation risk := ((1 + delta) ^ 2 * different_constant (INR (lifted_dimension da (fun _ => db) M)) (INR M)).
  Let named (m x a : nat) := phi (agent_of M m) x a.
  (** LSGD-PFL after every epoch *)
  Definition personal_points : nat -> run -> list (R * agents_point) :=
    local_points M T (da + db) da (lifted_dimension da (fun _ => db) M) (fun m => phi (agent_of M m)) (lifted_features M da (fun _ => db) phi) (lifted_place da db) out way local_steps server_step eta rounds.
  (** every call ends, in the mean, within delta^2 A / n *)
  Hypothesis calls : forall l, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    accurate_call out way M (doubling T l 0) local_steps server_step (eta l) (rounds l) (INR (lifted_dimension da (fun _ => db) M)) (INR M) (INR M) 1
      (delta ^ 2 * (different_constant (INR (lifted_dimension da (fun _ => db) M)) (INR M) / (INR M * INR (doubling T l 0)))).
  (** Reg(T) of FedIGW with this method and gamma^{l+1} = g sqrt(K / e_l), e_l = risk / n_l *)
  Definition convex_per_Reg_T (g : R) : R :=
    risk_Reg_T M X k D (agents_rewards M reward_law) (local_routine (da + db) (fun m => phi (agent_of M m)) personal_points)
      (different_risk M T ((1 + delta) ^ 2 * different_constant (INR (lifted_dimension da (fun _ => db) M)) (INR M))) T g.
  Let wstar := put_together da own M w.
  Let M1 : 1 <= INR M.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR, HM. Qed.
  Let linear := lifted_linear M k da T own reward_law phi w HM Hk Hdim HT Hlocal Hshared.
  Let norms := lifted_norm M k da T own phi HM Hk Hdim HT Hphi.
  Let star := lifted_star M da own w HM Hshared Hw.
  Let positive_risk : 0 < risk.
  Proof. apply Rmult_lt_0_compat; [apply pow_lt; lra|]. apply (different_A_positive _ wstar (INR M) star Hdim). Qed.
  Lemma here m : (m < M)%nat -> agent_of M m = m.
  Proof. intro Hm. unfold agent_of. apply Nat.ltb_lt in Hm. rewrite Hm. reflexivity. Qed.
  Let H3 g l h f : 0 < g -> True -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D (agents_rewards M reward_law) (doubling T) (risk_rates k (different_risk M T risk) g) l f M)
      (fun d => Expect (local_routine (da + db) named personal_points l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D (agents_rewards M reward_law) (doubling T) (risk_rates k (different_risk M T risk) g) l f f'))
    <= Protocol.W M (doubling T) l * different_risk M T risk l.
  Proof.
    intros Hg _ H1 H2. assert (Hrates : forall i, 0 <= risk_rates k (different_risk M T risk) g i) by (intro i; apply risk_rates_nonneg; exact Hg).
    pose proof (samples_count M k T HM Hk HT l ltac:(lia)) as Hn.
    assert (Wm : forall m, (m < M)%nat -> square_norm (da + db) (restrict (lifted_place da db) m wstar) <= 1).
    { intros m Hm. eapply Rle_trans; [|apply (Hw m)]. right. apply sum_ext. intros i Hi. unfold wstar. rewrite (restrict_together M da db HM w m i Hshared Hm Hi). reflexivity. }
    assert (I : 0 < / INR M) by (apply Rinv_0_lt_compat; lra).
    assert (block_below : forall i, block_weight M da i <= INR M) by (intro i; unfold block_weight; destruct (Nat.ltb i da); lra).
    eapply Rle_trans.
    - apply (local_H3 M k T X D (agents_rewards M reward_law) HM Hk HT HD0 HD1 (fun m => HR (agent_of M m)) (fun m => HR01 (agent_of M m)) (da + db) da dim named
        (lifted_features M da own phi) (lifted_place da db) wstar (INR M) (INR M) 1 linear norms (fun m => Hphi (agent_of M m)) (lifted_below M da db) (lifted_shared M da db)) with
        (gamma := risk_rates k (different_risk M T risk) g) (l := l) (f := f) (delta := delta) (A := A / (INR M * INR (doubling T l 0))) (h := h) (out := out) (way := way) (local_steps := local_steps)
        (server_step := server_step) (eta := eta) (rounds := rounds); try assumption.
      + intros m x b i Hm Hi. unfold lifted_features, named. rewrite (here m Hm). apply lift_at_shared. exact Hi.
      + intros m m' x b i Hm Hm' Ha Hi. unfold lifted_features, named. rewrite (here m Hm), (here m' Hm'). rewrite (lift_at_place M da db m m' (phi m' x b) i Hm Ha Hi).
        destruct (Nat.eq_dec m' m) as [->|]; reflexivity.
      + intros m x b v Hm. unfold lifted_features, named. rewrite (here m Hm). apply lift_dot_any. exact Hm.
      + apply restricted_norm. exact HM.
      + intros m J c at_ Hm. right. unfold lifted_features, named. rewrite (here m Hm). apply (lift_combination M da db m J c (fun j => phi m (fst (at_ j)) (snd (at_ j))) Hm).
      + apply Rle_trans with (sum M (fun _ => / INR M * INR M)).
        * apply sum_le. intros m Hm. apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (INR M * square_norm (da + db) (restrict (lifted_place da db) m wstar)).
          -- unfold square_norm. rewrite <- sum_scal. apply sum_le. intros i _. apply Rmult_le_compat_r; [apply pow2_ge_0|apply block_below].
          -- rewrite <- (Rmult_1_r (INR M)) at 2. apply Rmult_le_compat_l; [lra|apply Wm, Hm].
        * rewrite sum_const. right. field. lra.
      + apply Rle_trans with (sum M (fun _ => / INR M)).
        * apply sum_le. intros m Hm. rewrite <- (Rmult_1_r (/ INR M)) at 2. apply Rmult_le_compat_l; [lra|apply Wm, Hm].
        * rewrite sum_const. right. field. lra.
      + intros i _. apply block_below.
      + right. reflexivity.
      + lra.
      + apply lifted_point. exact HM.
      + eapply Rle_trans; [apply (different_direct_H3 M k X D (agents_rewards M reward_law) T dim (lifted_features M da own phi) wstar (INR M) Hk HD0 HD1
          (fun m => HR (agent_of M m)) (fun m => HR01 (agent_of M m)) linear norms star); auto|].
        rewrite (W_samples M T). right. field. split; intro Hz; rewrite Hz in Hn; lra.
      + apply calls; assumption.
    - rewrite (W_samples M T). right. unfold different_risk. field. split; intro Hz; rewrite Hz in Hn; lra.
  Qed.
  Let any (f : estimate) : Prop := True.
  Let reached l h : Forall (fun pf => any (snd pf)) (local_routine (da + db) named personal_points l h).
  Proof. apply Forall_forall. intros. exact I. Qed.
  Let below l : (1 <= l <= epochs_until T)%nat -> different_risk M T risk l <= risk / (INR M * INR (doubling T l 0)).
  Proof. intros _. unfold different_risk. lra. Qed.
  Let law l h : distribution (local_routine (da + db) named personal_points l h).
  Proof. apply local_routine_law; assumption. Qed.
  Let positive := different_risk_pos M k T HM Hk HT risk positive_risk.
  Let decreases := different_risk_decreases M k T dim HM Hk Hdim HT risk positive_risk.

  (** repaired:  2M + 11 (2 + sqrt 2)(1 + delta) sqrt(M K T (d~/4 + 9M/4)). *)
  Theorem col_convex_per_repaired :
    convex_per_Reg_T 1 <= uncapped_sum 11 M k T (different_risk M T risk) <= linear_repaired_bound (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_repaired M k T X D (agents_rewards M reward_law) _ _ risk any HM Hk HT HD0 HD1 (fun m => HR (agent_of M m)) (fun m => HR01 (agent_of M m)) law I reached
      positive_risk positive decreases below H3).
  Qed.
  (** sharpened, g^2 = (3q + 1)/8. *)
  Theorem col_convex_per_sharpened : let q := 1 - / INR k in
    convex_per_Reg_T (sqrt ((3 * q + 1) / 8)) <= capped_sum (linear_sharpened_constant q) M k T (different_risk M T risk) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_sharpened M k T X D (agents_rewards M reward_law) _ _ risk any HM Hk HT HD0 HD1 (fun m => HR (agent_of M m)) (fun m => HR01 (agent_of M m)) law I reached
      positive_risk positive decreases below H3).
  Qed.
  (** best, K >= 3: the constant is at most 3.6981. *)
  Theorem col_convex_per_best : (3 <= k)%nat ->
    convex_per_Reg_T (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (different_risk M T risk) <= linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
  Proof.
    intro Hk3. exact (routine_best M k T X D (agents_rewards M reward_law) _ _ risk any HM Hk HT HD0 HD1 (fun m => HR (agent_of M m)) (fun m => HR01 (agent_of M m)) law I reached
      positive_risk positive decreases below H3 Hk3 (different_risk_halves M k T dim HM Hk Hdim HT risk)).
  Qed.
  (** best, two arms:  3 / sqrt 2. *)
  Theorem col_convex_per_best_two_arms : k = 2%nat ->
    convex_per_Reg_T (sqrt (2 / 9)) <= capped_sum (3 / sqrt 2) M k T (different_risk M T risk) <= linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_best_two_arms M k T X D (agents_rewards M reward_law) _ _ risk any HM Hk HT HD0 HD1 (fun m => HR (agent_of M m)) (fun m => HR01 (agent_of M m)) law I reached
      positive_risk positive decreases below H3).
  Qed.
End Personalised.
