(** * Ridge regression: the excess risk of a held-out point, for every finite design

    A design phi_0, ..., phi_{N-1} with |phi_i| <= 1; rewards r_j = phi_j'wstar + e_j with uncorrelated noise of mean zero and
    variance at most s2; lambda n = 1.  Leave point i out, fit w_{-i} on the other n = N - 1 points, predict at phi_i:

        (1/N) sum_i E [ (phi_i'(w_{-i} - wstar))^2 ] <= (s2 d + |wstar|^2) / N.

    For an exchangeable design (all agents with the same law) each term has the same expectation, that of a fresh point,
    so this is the excess risk (s2 d + |wstar|^2)/(n + 1) of n samples, design by design: no logarithm, no clipping.

    No matrix is inverted on paper: with A = sum_j phi_j phi_j' + I and A u_i = phi_i, h_i = phi_i'u_i,
        (1 - h_i) phi_i'(w_{-i} - wstar) = sum_{j <> i} (u_i'phi_j) e_j - u_i'wstar,
        sum_j (u_i'phi_j)^2 = h_i - |u_i|^2 <= h_i - h_i^2,   sum_i h_i <= d,   4 sum_i (u_i'wstar)^2 <= |wstar|^2.        *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient.
Open Scope R_scope.

(** s2 d + |wstar|^2 *)
Definition ridge_risk_constant (s2 d norm : R) : R := s2 * d + norm.

Lemma dot_symmetric d u v : dot d u v = dot d v u.
Proof. apply sum_ext. intros. ring. Qed.
Lemma dot_plus d u v w : dot d u (fun i => v i + w i) = dot d u v + dot d u w.
Proof. unfold dot. rewrite <- sum_plus. apply sum_ext. intros. ring. Qed.
Lemma dot_scal d k u v : dot d u (fun i => k * v i) = k * dot d u v.
Proof. unfold dot. rewrite <- sum_scal. apply sum_ext. intros. ring. Qed.
Lemma dot_ext d u v w : (forall i, (i < d)%nat -> v i = w i) -> dot d u v = dot d u w.
Proof. intro H. apply sum_ext. intros i Hi. rewrite H by exact Hi. reflexivity. Qed.
Lemma dot_self d u : dot d u u = square_norm d u.
Proof. apply sum_ext. intros. ring. Qed.
Lemma dot_sum d u n (c : nat -> R) (v : nat -> vector) :
  dot d u (fun i => sum n (fun j => c j * v j i)) = sum n (fun j => c j * dot d u (v j)).
Proof.
  unfold dot. rewrite (sum_ext d _ (fun i => sum n (fun j => c j * (u i * v j i)))).
  - rewrite (sum_swap d n (fun i j => c j * (u i * v j i))). apply sum_ext. intros j _. apply sum_scal.
  - intros i _. rewrite <- sum_scal. apply sum_ext. intros. ring.
Qed.

Section Ridge.
  Variables (d : nat) (phi : nat -> vector).

  (** A_k = sum_{j < k} phi_j phi_j' + I *)
  Definition A (k : nat) (v : vector) : vector := fun i => sum k (fun j => dot d (phi j) v * phi j i) + v i.
  Definition solves (k : nat) (v b : vector) : Prop := forall i, (i < d)%nat -> A k v i = b i.

  Lemma dot_A k u v : dot d u (A k v) = sum k (fun j => dot d (phi j) v * dot d (phi j) u) + dot d u v.
  Proof.
    unfold A. rewrite dot_plus. f_equal. rewrite (dot_sum d u k (fun j => dot d (phi j) v) phi).
    apply sum_ext. intros j _. rewrite (dot_symmetric d u). reflexivity.
  Qed.
  Lemma A_symmetric k u v : dot d u (A k v) = dot d v (A k u).
  Proof. rewrite !dot_A, (dot_symmetric d u v). f_equal. apply sum_ext. intros. ring. Qed.
  Lemma A_positive k v : square_norm d v <= dot d v (A k v).
  Proof.
    rewrite dot_A, dot_self. assert (0 <= sum k (fun j => dot d (phi j) v * dot d (phi j) v)).
    { apply sum_nonneg. intros. apply Rle_0_sqr. } lra.
  Qed.
  (** a'A^{-1}b = b'A^{-1}a *)
  Lemma solves_symmetric k x y a b : solves k x a -> solves k y b -> dot d a y = dot d b x.
  Proof.
    intros Hx Hy. rewrite (dot_symmetric d a), (dot_symmetric d b).
    rewrite <- (dot_ext d y (A k x) a Hx), <- (dot_ext d x (A k y) b Hy). apply A_symmetric.
  Qed.

  (** ** Every right-hand side can be solved for (one rank-one update after the other) *)
  Fixpoint solve (k : nat) (b : vector) : vector :=
    match k with
    | O => b
    | S k' => fun i => solve k' b i
        - dot d (phi k') (solve k' b) / (1 + dot d (phi k') (solve k' (phi k'))) * solve k' (phi k') i
    end.
  Theorem solve_solves k : forall b, solves k (solve k b) b.
  Proof.
    induction k as [|k IH]; intros b i Hi; [unfold A; simpl; ring|].
    set (p := phi k). set (s := solve k b). set (t := solve k p).
    assert (Ht : 0 <= dot d p t).
    { pose proof (A_positive k t) as P. rewrite (dot_ext d t (A k t) p (IH p)) in P.
      pose proof (square_norm_nonneg d t). rewrite (dot_symmetric d p). lra. }
    set (q := dot d p s / (1 + dot d p t)).
    assert (Hs : forall j, dot d (phi j) (solve (S k) b) = dot d (phi j) s - q * dot d (phi j) t).
    { intro j.
      rewrite (dot_ext d (phi j) (solve (S k) b) (fun m => s m + (-1) * (q * t m))).
      - rewrite (dot_plus d (phi j) s), (dot_scal d (-1) (phi j) (fun m => q * t m)), (dot_scal d q (phi j) t). ring.
      - intros m _. change (solve (S k) b m) with (s m - q * t m). ring. }
    unfold A. change (sum (S k) (fun j => dot d (phi j) (solve (S k) b) * phi j i)) with
      (sum k (fun j => dot d (phi j) (solve (S k) b) * phi j i) + dot d (phi k) (solve (S k) b) * phi k i).
    rewrite (sum_ext k _ (fun j => dot d (phi j) s * phi j i - q * (dot d (phi j) t * phi j i)))
      by (intros j _; rewrite Hs; ring).
    rewrite sum_minus, sum_scal, Hs. fold p.
    pose proof (IH b i Hi) as E1. pose proof (IH p i Hi) as E2. unfold A in E1, E2. fold s in E1. fold p t in E2.
    change (solve (S k) b i) with (s i - q * t i).
    assert (E3 : dot d p s - q * dot d p t = q) by (unfold q; field; lra).
    rewrite E3.
    assert (E4 : sum k (fun j => dot d (phi j) t * phi j i) = p i - t i) by lra.
    rewrite E4. change (phi k i) with (p i). lra.
  Qed.

  (** ** The design *)
  Variable N : nat.
  Hypothesis Hphi : forall j, (j < N)%nat -> square_norm d (phi j) <= 1.
  Definition u (i : nat) : vector := solve N (phi i).
  Definition h (i : nat) : R := dot d (phi i) (u i).

  Lemma h_identity i : (i < N)%nat -> h i = sum N (fun j => dot d (phi j) (u i) ^ 2) + square_norm d (u i).
  Proof.
    intro Hi. unfold h. rewrite dot_symmetric, <- (dot_ext d (u i) (A N (u i)) (phi i) (solve_solves N (phi i))).
    rewrite dot_A, dot_self. f_equal. apply sum_ext. intros. ring.
  Qed.
  Lemma h_square i : (i < N)%nat -> h i ^ 2 <= square_norm d (u i).
  Proof.
    intro Hi. eapply Rle_trans; [apply cauchy_schwarz|]. fold (square_norm d (phi i)) (square_norm d (u i)).
    pose proof (Hphi i Hi). pose proof (square_norm_nonneg d (u i)). nra.
  Qed.
  (** 0 <= h_i <= 1/2 *)
  Lemma h_bounds i : (i < N)%nat -> 0 <= h i <= 1 / 2.
  Proof.
    intro Hi. pose proof (h_identity i Hi) as E. pose proof (h_square i Hi) as Q.
    assert (P : h i ^ 2 <= sum N (fun j => dot d (phi j) (u i) ^ 2)).
    { apply (sum_ge_one N (fun j => dot d (phi j) (u i) ^ 2) i); [|exact Hi]. intros. apply pow2_ge_0. }
    pose proof (pow2_ge_0 (h i)). split; [lra|]. nra.
  Qed.
  (** sum_i h_i = tr(A^{-1} G) <= d *)
  Lemma h_trace : sum N h <= INR d.
  Proof.
    set (unit := fun (k i : nat) => if Nat.eq_dec i k then 1 else 0).
    assert (Hunit : forall k v, (k < d)%nat -> dot d (unit k) v = v k).
    { intros k v Hk. unfold dot, unit. rewrite <- (sum_delta d k v Hk). apply sum_ext. intros i _.
      destruct (Nat.eq_dec i k); ring. }
    set (a := fun k => solve N (unit k)).
    assert (Hh : forall i, h i = sum d (fun k => phi i k * dot d (phi i) (a k))).
    { intro i. apply sum_ext. intros k Hk. f_equal.
      rewrite <- (Hunit k (u i) Hk).
      apply (solves_symmetric N (a k) (u i) (unit k) (phi i)); apply solve_solves. }
    rewrite (sum_ext N h (fun i => sum d (fun k => phi i k * dot d (phi i) (a k)))) by (intros; apply Hh).
    rewrite (sum_swap N d (fun i k => phi i k * dot d (phi i) (a k))).
    apply Rle_trans with (sum d (fun _ => 1)); [|rewrite sum_const; lra].
    apply sum_le. intros k Hk.
    pose proof (solve_solves N (unit k) k Hk) as E. fold (a k) in E. unfold A in E.
    assert (U : unit k k = 1) by (unfold unit; destruct (Nat.eq_dec k k); [reflexivity | contradiction]).
    pose proof (A_positive N (a k)) as P. rewrite (dot_ext d (a k) (A N (a k)) (unit k) (solve_solves N (unit k))) in P.
    rewrite dot_symmetric, Hunit in P by exact Hk. pose proof (square_norm_nonneg d (a k)).
    rewrite (sum_ext N _ (fun j => dot d (phi j) (a k) * phi j k)) by (intros; ring). lra.
  Qed.

  (** ** The regression *)
  Variables (wstar : vector) (s2 : R).
  Variables (Omega : Type) (law : list (R * Omega)) (e : Omega -> nat -> R).
  Hypothesis Hlaw : distribution law.
  Hypothesis Hs2 : 0 <= s2.
  Hypothesis mean_zero : forall j, (j < N)%nat -> Expect law (fun w => e w j) = 0.
  Hypothesis uncorrelated : forall j k, (j < N)%nat -> (k < N)%nat -> j <> k -> Expect law (fun w => e w j * e w k) = 0.
  Hypothesis variance_bound : forall j, (j < N)%nat -> Expect law (fun w => e w j ^ 2) <= s2.

  (** w_{-i}: minimises sum_{j <> i} (phi_j'w - r_j)^2 + |w|^2, r_j = phi_j'wstar + e_j, by its normal equations *)
  Variable fit : nat -> Omega -> vector.
  Hypothesis normal_equations : forall i w m, (i < N)%nat -> (m < d)%nat ->
    sum N (fun j => if Nat.eq_dec j i then 0
      else (dot d (phi j) (fit i w) - (dot d (phi j) wstar + e w j)) * phi j m) + fit i w m = 0.

  (** sum_i (u_i'wstar)^2 <= |wstar|^2 / 4 *)
  Lemma bias_sum : 4 * sum N (fun i => dot d (u i) wstar ^ 2) <= square_norm d wstar.
  Proof.
    set (v := solve N wstar). set (G := fun m => sum N (fun j => dot d (phi j) v * phi j m)).
    assert (Hb : forall i, dot d (u i) wstar = dot d (phi i) v).
    { intro i. rewrite dot_symmetric. apply (solves_symmetric N v (u i) wstar (phi i)); apply solve_solves. }
    rewrite (sum_ext N _ (fun i => dot d (phi i) v * dot d v (phi i)))
      by (intros i _; rewrite Hb, (dot_symmetric d v); ring).
    rewrite <- (dot_sum d v N (fun j => dot d (phi j) v) phi). fold G.
    assert (Hw : square_norm d wstar = square_norm d (fun m => G m + v m)).
    { apply sum_ext. intros m Hm. rewrite <- (solve_solves N wstar m Hm). reflexivity. }
    rewrite Hw. unfold square_norm, dot. rewrite <- sum_scal. apply sum_le. intros m _.
    pose proof (pow2_ge_0 (G m - v m)). nra.
  Qed.

  (** (1 - h_i) phi_i'(w_{-i} - wstar) = sum_{j <> i} (u_i'phi_j) e_j - u_i'wstar *)
  Definition weight (i j : nat) : R := if Nat.eq_dec j i then 0 else dot d (phi j) (u i).
  Lemma held_out i w : (i < N)%nat ->
    (1 - h i) * dot d (phi i) (minus (fit i w) wstar) = sum N (fun j => weight i j * e w j) - dot d (u i) wstar.
  Proof.
    intro Hi. set (q := minus (fit i w) wstar).
    assert (Eq : forall m, (m < d)%nat -> A N q m =
      sum N (fun j => (if Nat.eq_dec j i then 0 else e w j) * phi j m) + (dot d (phi i) q * phi i m + -1 * wstar m)).
    { intros m Hm. pose proof (normal_equations i w m Hi Hm) as E. unfold A.
      assert (S1 : sum N (fun j => dot d (phi j) q * phi j m) = sum N (fun j =>
          (if Nat.eq_dec j i then 0 else (dot d (phi j) (fit i w) - (dot d (phi j) wstar + e w j)) * phi j m)
          + (if Nat.eq_dec j i then 0 else e w j) * phi j m
          + (if Nat.eq_dec j i then dot d (phi j) q * phi j m else 0))).
      { apply sum_ext. intros j _. unfold q at 1. rewrite dot_minus.
        destruct (Nat.eq_dec j i) as [->|]; [unfold q; rewrite dot_minus; ring | ring]. }
      rewrite S1, !sum_plus, (sum_delta N i (fun j => dot d (phi j) q * phi j m) Hi).
      unfold q at 2. unfold minus at 1. lra. }
    assert (E1 : dot d (phi i) q = dot d (u i) (A N q)).
    { rewrite A_symmetric, (dot_ext d q (A N (u i)) (phi i) (solve_solves N (phi i))). apply dot_symmetric. }
    rewrite (dot_ext d (u i) (A N q) _ Eq) in E1.
    rewrite dot_plus, (dot_sum d (u i) N (fun j => if Nat.eq_dec j i then 0 else e w j) phi) in E1.
    rewrite dot_plus, (dot_scal d (dot d (phi i) q) (u i) (phi i)), (dot_scal d (-1) (u i) wstar) in E1.
    rewrite (dot_symmetric d (u i) (phi i)) in E1. fold (h i) in E1.
    rewrite (sum_ext N _ (fun j => weight i j * e w j)) in E1.
    - lra.
    - intros j _. unfold weight. rewrite (dot_symmetric d (u i)). destruct (Nat.eq_dec j i); ring.
  Qed.

  (** E (sum_j c_j e_j + b)^2 <= s2 sum_j c_j^2 + b^2 *)
  Lemma noise_square (c : nat -> R) b :
    Expect law (fun w => (sum N (fun j => c j * e w j) + b) ^ 2) <= s2 * sum N (fun j => c j ^ 2) + b ^ 2.
  Proof.
    assert (G : forall k, (k <= N)%nat ->
      Expect law (fun w => sum k (fun j => c j * e w j)) = 0 /\
      (forall m, (k <= m < N)%nat -> Expect law (fun w => sum k (fun j => c j * e w j) * e w m) = 0) /\
      Expect law (fun w => sum k (fun j => c j * e w j) ^ 2) <= s2 * sum k (fun j => c j ^ 2)).
    { induction k as [|k IH]; intro Hk.
      - simpl. repeat split.
        + apply (Expect_const law 0 Hlaw).
        + intros m _. rewrite (Expect_ext law _ (fun _ => 0)) by (intro; ring). apply (Expect_const law 0 Hlaw).
        + rewrite (Expect_ext law _ (fun _ => 0)) by (intro; ring). rewrite (Expect_const law 0 Hlaw). lra.
      - destruct (IH ltac:(lia)) as (I1 & I2 & I3). simpl sum. repeat split.
        + rewrite (Expect_plus law (fun w => sum k (fun j => c j * e w j)) (fun w => c k * e w k)).
          rewrite (Expect_scal law (c k) (fun w => e w k)), I1, mean_zero by lia. ring.
        + intros m Hm.
          rewrite (Expect_ext law _ (fun w => sum k (fun j => c j * e w j) * e w m + c k * (e w k * e w m))) by (intro; ring).
          rewrite (Expect_plus law (fun w => sum k (fun j => c j * e w j) * e w m)).
          rewrite (Expect_scal law (c k) (fun w => e w k * e w m)), I2, uncorrelated by lia. ring.
        + rewrite (Expect_ext law _ (fun w => (sum k (fun j => c j * e w j) ^ 2
            + 2 * c k * (sum k (fun j => c j * e w j) * e w k)) + c k ^ 2 * e w k ^ 2)) by (intro; ring).
          rewrite (Expect_plus law (fun w => sum k (fun j => c j * e w j) ^ 2
            + 2 * c k * (sum k (fun j => c j * e w j) * e w k)) (fun w => c k ^ 2 * e w k ^ 2)).
          rewrite (Expect_plus law (fun w => sum k (fun j => c j * e w j) ^ 2)).
          rewrite (Expect_scal law (2 * c k)), (Expect_scal law (c k ^ 2)), (I2 k) by lia.
          pose proof (variance_bound k ltac:(lia)) as Hv.
          apply (Rmult_le_compat_l (c k ^ 2)) in Hv; [|apply pow2_ge_0].
          change (sum k (fun j => c j * (c j * 1)) + c k * (c k * 1)) with (sum k (fun j => c j ^ 2) + c k ^ 2). lra. }
    destruct (G N (le_n N)) as (G1 & _ & G3).
    rewrite (Expect_ext law _ (fun w => (sum N (fun j => c j * e w j) ^ 2 + 2 * b * sum N (fun j => c j * e w j)) + b ^ 2))
      by (intro; ring).
    rewrite (Expect_plus_const law _ (fun w => sum N (fun j => c j * e w j) ^ 2 + 2 * b * sum N (fun j => c j * e w j))
      (b ^ 2) Hlaw) by reflexivity.
    rewrite (Expect_plus law (fun w => sum N (fun j => c j * e w j) ^ 2)).
    rewrite (Expect_scal law (2 * b)), G1. lra.
  Qed.

  (** One held-out point:  E (phi_i'(w_{-i} - wstar))^2 <= s2 h_i + 4 (u_i'wstar)^2. *)
  Lemma held_out_risk i : (i < N)%nat ->
    Expect law (fun w => dot d (phi i) (minus (fit i w) wstar) ^ 2) <= s2 * h i + 4 * dot d (u i) wstar ^ 2.
  Proof.
    intro Hi. destruct (h_bounds i Hi) as [H0 H1]. set (b := dot d (u i) wstar).
    pose proof (noise_square (weight i) (- b)) as Hn.
    rewrite (Expect_ext law _ (fun w => (1 - h i) ^ 2 * dot d (phi i) (minus (fit i w) wstar) ^ 2)) in Hn.
    2:{ intro w. pose proof (held_out i w Hi) as E. fold b in E.
        replace (sum N (fun j => weight i j * e w j) + - b) with (sum N (fun j => weight i j * e w j) - b) by ring.
        rewrite <- E. ring. }
    rewrite (Expect_scal law ((1 - h i) ^ 2)) in Hn.
    assert (Hw : sum N (fun j => weight i j ^ 2) <= h i - 2 * h i ^ 2).
    { pose proof (h_identity i Hi) as E. pose proof (h_square i Hi) as Q.
      assert (S1 : sum N (fun j => dot d (phi j) (u i) ^ 2) = sum N (fun j => weight i j ^ 2) + h i ^ 2).
      { unfold h. rewrite <- (sum_delta N i (fun j => dot d (phi j) (u i) ^ 2) Hi), <- sum_plus.
        apply sum_ext. intros j _. unfold weight. destruct (Nat.eq_dec j i); ring. }
      lra. }
    set (R0 := Expect law (fun w => dot d (phi i) (minus (fit i w) wstar) ^ 2)) in *.
    assert (HR : (1 - h i) ^ 2 * R0 <= s2 * (h i - 2 * h i ^ 2) + b ^ 2).
    { assert (s2 * sum N (fun j => weight i j ^ 2) <= s2 * (h i - 2 * h i ^ 2)) by (apply Rmult_le_compat_l; lra).
      replace ((- b) ^ 2) with (b ^ 2) in Hn by ring. lra. }
    assert (Hq : 1 / 4 <= (1 - h i) ^ 2) by nra.
    apply (Rmult_le_reg_l ((1 - h i) ^ 2)); [lra|]. eapply Rle_trans; [exact HR|].
    assert (A1 : s2 * (h i - 2 * h i ^ 2) <= s2 * ((1 - h i) ^ 2 * h i)).
    { apply Rmult_le_compat_l; [exact Hs2|]. assert (0 <= h i * h i ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]). nra. }
    assert (A2 : b ^ 2 <= (1 - h i) ^ 2 * (4 * b ^ 2)) by (pose proof (pow2_ge_0 b); nra).
    lra.
  Qed.

  (** Ridge, held-out excess risk:  (1/N) sum_i E [(phi_i'(w_{-i} - wstar))^2] <= (s2 d + |wstar|^2) / N,  N = n + 1. *)
  Theorem ridge_excess_risk : (1 <= N)%nat ->
    / INR N * sum N (fun i => Expect law (fun w => dot d (phi i) (minus (fit i w) wstar) ^ 2)) <=
      ridge_risk_constant s2 (INR d) (square_norm d wstar) / INR N.
  Proof.
    intro HN. assert (1 <= INR N) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact HN).
    unfold ridge_risk_constant, Rdiv. rewrite (Rmult_comm (s2 * INR d + _)).
    apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra|].
    apply Rle_trans with (sum N (fun i => s2 * h i + 4 * dot d (u i) wstar ^ 2)).
    - apply sum_le. intros i Hi. apply held_out_risk. exact Hi.
    - rewrite sum_plus, !sum_scal. pose proof h_trace. pose proof bias_sum.
      assert (s2 * sum N h <= s2 * INR d) by (apply Rmult_le_compat_l; assumption).
      change (sum N (fun i => h i)) with (sum N h). lra.
  Qed.
End Ridge.
